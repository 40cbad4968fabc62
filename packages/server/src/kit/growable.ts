type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigUint64Array
type Element<A extends Numbers> = A extends BigUint64Array ? bigint : number
interface ArrayConstructor<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): A
}

/** Growable typed array; the capacity grows by half when it is full. */
export class Growable<A extends Numbers> {
  #items: A
  #make: ArrayConstructor<A>
  length = 0

  constructor(make: ArrayConstructor<A>, capacity = 1024) {
    this.#make = make
    this.#items = new make(capacity)
  }

  push(item: Element<A>): void {
    if (this.length === this.#items.length) this.#grow(this.length + 1)
    const items: { [i: number]: unknown } = this.#items
    items[this.length++] = item
  }

  /** Adds all items of an array of the same kind. */
  append(items: A): void {
    const end = this.length + items.length
    if (end > this.#items.length) this.#grow(end)
    ;(this.#items as { set(from: A, at: number): void }).set(items, this.length)
    this.length = end
  }

  #grow(needed: number): void {
    const grown = new this.#make(Math.max(needed, Math.ceil(this.#items.length * 1.5)))
    ;(grown as { set(from: A): void }).set(this.#items)
    this.#items = grown
  }

  /** Returns the items so far without copying; the view is valid until the next push. */
  view(): A {
    return this.#items.subarray(0, this.length) as A
  }
}
