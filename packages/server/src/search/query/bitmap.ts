/**
 * Set of documents of one segment, one bit per document. Sets of the same segment and purpose share their memory, which
 * is safe because queries run to completion without interleaving.
 */
export class Bitmap {
  readonly #bits: Uint32Array

  private constructor(bits: Uint32Array) {
    this.#bits = bits
  }

  /** Returns an empty set over the documents of `owner`; it is valid until the next call with the same `purpose`. */
  static of(owner: { readonly count: number }, purpose: 'listed' | 'preferred'): Bitmap {
    const byOwner = scratch[purpose]
    const bits = byOwner.get(owner) ?? new Uint32Array((owner.count + 31) >>> 5)
    byOwner.set(owner, bits.fill(0))
    return new Bitmap(bits)
  }

  add(doc: number): void {
    this.#bits[doc >>> 5]! |= 1 << (doc & 31)
  }

  /** Adds `docs` from `from` up to `to` (exclusive). */
  addRange(docs: ArrayLike<number>, from: number, to: number): void {
    const bits = this.#bits
    for (let at = from; at < to; at++) bits[docs[at]! >>> 5]! |= 1 << (docs[at]! & 31)
  }

  has(doc: number): boolean {
    return (this.#bits[doc >>> 5]! & (1 << (doc & 31))) !== 0
  }

  /** Returns the documents of `docs` that are in the set, in the same order. */
  intersect(docs: Uint32Array): Uint32Array {
    const bits = this.#bits
    const found = new Uint32Array(docs.length)
    let count = 0
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      if ((bits[doc >>> 5]! & (1 << (doc & 31))) !== 0) found[count++] = doc
    }
    return found.subarray(0, count)
  }

  /** Returns the documents of the set, ascending. */
  members(): Uint32Array {
    const bits = this.#bits
    let count = 0
    // Count the bits of each word in parallel (SWAR population count).
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

const scratch = { listed: new WeakMap<object, Uint32Array>(), preferred: new WeakMap<object, Uint32Array>() }
