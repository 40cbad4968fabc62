/**
 * A set of documents of one segment, a bit each. The memory is used again by the next set of the same use: a query
 * runs to its end before another begins.
 */
export class Bitmap {
  readonly #bits: Uint32Array

  private constructor(bits: Uint32Array) {
    this.#bits = bits
  }

  /** An empty set over the documents of `owner`; valid until the next is asked for the same `use`. */
  static of(owner: { readonly count: number }, use: 'listed' | 'early'): Bitmap {
    const lent = scratch[use]
    const bits = lent.get(owner) ?? new Uint32Array((owner.count + 31) >>> 5)
    lent.set(owner, bits.fill(0))
    return new Bitmap(bits)
  }

  add(doc: number): void {
    this.#bits[doc >>> 5]! |= 1 << (doc & 31)
  }

  addRun(docs: ArrayLike<number>, from: number, to: number): void {
    const bits = this.#bits
    for (let at = from; at < to; at++) bits[docs[at]! >>> 5]! |= 1 << (docs[at]! & 31)
  }

  has(doc: number): boolean {
    return (this.#bits[doc >>> 5]! & (1 << (doc & 31))) !== 0
  }

  /** Those of some documents that are in the set, in their order. */
  among(docs: Uint32Array): Uint32Array {
    const bits = this.#bits
    const found = new Uint32Array(docs.length)
    let count = 0
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      if ((bits[doc >>> 5]! & (1 << (doc & 31))) !== 0) found[count++] = doc
    }
    return found.subarray(0, count)
  }

  /** The documents, ascending. */
  members(): Uint32Array {
    const bits = this.#bits
    let count = 0
    for (let i = 0; i < bits.length; i++) {
      let word = bits[i]!
      word -= (word >>> 1) & 0x55555555
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
      count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    }
    const found = new Uint32Array(count)
    let next = 0
    for (let i = 0; i < bits.length; i++) {
      for (let word = bits[i]!; word !== 0; word &= word - 1) found[next++] = i * 32 + (31 - Math.clz32(word & -word))
    }
    return found
  }
}

const scratch = { listed: new WeakMap<object, Uint32Array>(), early: new WeakMap<object, Uint32Array>() }
