type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigUint64Array
type Element<A extends Numbers> = A extends BigUint64Array ? bigint : number
interface Maker<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): A
}

/** A typed array that grows by half when it is full. */
export class Growable<A extends Numbers> {
  #items: A
  #make: Maker<A>
  length = 0

  constructor(make: Maker<A>, capacity = 1024) {
    this.#make = make
    this.#items = new make(capacity)
  }

  push(item: Element<A>): void {
    if (this.length === this.#items.length) {
      const grown = new this.#make(Math.ceil(this.length * 1.5))
      ;(grown as { set(from: A): void }).set(this.#items)
      this.#items = grown
    }
    const items: { [i: number]: unknown } = this.#items
    items[this.length++] = item
  }

  /** The items so far; valid until the next push. */
  view(): A {
    return this.#items.subarray(0, this.length) as A
  }
}

/** A zeroed array in memory that workers can share. */
export function shared<A extends Numbers>(
  make: { readonly BYTES_PER_ELEMENT: number; new (buffer: SharedArrayBuffer): A },
  length: number,
): A {
  return new make(new SharedArrayBuffer(length * make.BYTES_PER_ELEMENT))
}
