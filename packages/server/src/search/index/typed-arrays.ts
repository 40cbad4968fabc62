type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigUint64Array
type Element<A extends Numbers> = A extends BigUint64Array ? bigint : number
interface ArrayConstructor<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): A
}
interface SharedArrayConstructor<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: SharedArrayBuffer): A
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
    if (this.length === this.#items.length) {
      const grown = new this.#make(Math.ceil(this.length * 1.5))
      ;(grown as { set(from: A): void }).set(this.#items)
      this.#items = grown
    }
    const items: { [i: number]: unknown } = this.#items
    items[this.length++] = item
  }

  /** Returns the items so far without copying; the view is valid until the next push. */
  view(): A {
    return this.#items.subarray(0, this.length) as A
  }
}

/** Allocates a zeroed typed array in memory that worker threads can share. */
export function sharedArray<A extends Numbers>(make: SharedArrayConstructor<A>, length: number): A {
  return new make(new SharedArrayBuffer(length * make.BYTES_PER_ELEMENT))
}

/** Copies numbers into a shared typed array. */
export function sharedCopy<A extends Uint16Array | Uint32Array>(
  from: ArrayLike<number>,
  make: SharedArrayConstructor<A>,
): A {
  const to = sharedArray(make, from.length)
  to.set(from)
  return to
}

/**
 * Returns the first index in `from` up to `to` (exclusive) of an ascending list whose value is not below `value`, or
 * `to`.
 */
export function lowerBound(list: Uint32Array, value: number, from = 0, to = list.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
