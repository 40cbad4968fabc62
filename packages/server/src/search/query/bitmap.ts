/**
 * Set of documents of one segment, one bit per document, and one bit per word that is not empty, so that a small set
 * takes little time in a large segment. Sets of the same segment and purpose share their memory, which is safe because
 * queries run to completion without interleaving.
 */
export class Bitmap {
  readonly #bits: Uint32Array
  /** One bit for each word of `#bits`. */
  readonly #used: Uint32Array

  private constructor(documents: number) {
    this.#bits = new Uint32Array((documents + 31) >>> 5)
    this.#used = new Uint32Array((this.#bits.length + 31) >>> 5)
  }

  /** Returns an empty set over the documents of `owner`; it is valid until the next call with the same `purpose`. */
  static of(owner: { readonly count: number }, purpose: keyof typeof scratch): Bitmap {
    const byOwner = scratch[purpose]
    const known = byOwner.get(owner)
    if (known) return known.#clear()
    const made = new Bitmap(owner.count)
    byOwner.set(owner, made)
    return made
  }

  #clear(): this {
    const bits = this.#bits
    const used = this.#used
    for (let i = 0; i < used.length; i++) {
      for (let left = used[i]!; left !== 0; left &= left - 1) bits[i * 32 + 31 - Math.clz32(left & -left)] = 0
      used[i] = 0
    }
    return this
  }

  add(doc: number): void {
    this.#bits[doc >>> 5]! |= 1 << (doc & 31)
    this.#used[doc >>> 10]! |= 1 << ((doc >>> 5) & 31)
  }

  /** Adds `docs` from `from` up to `to` (exclusive). */
  addRange(docs: ArrayLike<number>, from: number, to: number): void {
    const bits = this.#bits
    const used = this.#used
    for (let at = from; at < to; at++) {
      const doc = docs[at]!
      bits[doc >>> 5]! |= 1 << (doc & 31)
      used[doc >>> 10]! |= 1 << ((doc >>> 5) & 31)
    }
  }

  /**
   * Adds `docs` from `from` up to `to` (exclusive), and raises their entries in `levels` to `levelOf(at)`. Entries of
   * other documents are undefined.
   */
  addLevels(docs: Uint32Array, from: number, to: number, levels: Uint16Array, levelOf: LevelSource): void {
    const bits = this.#bits
    const used = this.#used
    const { codes, table } = levelOf
    for (let at = from; at < to; at++) {
      const doc = docs[at]!
      const bit = 1 << (doc & 31)
      const level = table[codes[at]!]!
      const word = bits[doc >>> 5]!
      if ((word & bit) !== 0) {
        if (levels[doc]! < level) levels[doc] = level
        continue
      }
      bits[doc >>> 5] = word | bit
      used[doc >>> 10]! |= 1 << ((doc >>> 5) & 31)
      levels[doc] = level
    }
  }

  /** Adds documents that all have one level. */
  addLevel(docs: Uint32Array, from: number, to: number, levels: Uint16Array, level: number): void {
    const bits = this.#bits
    const used = this.#used
    for (let at = from; at < to; at++) {
      const doc = docs[at]!
      const bit = 1 << (doc & 31)
      const word = bits[doc >>> 5]!
      if ((word & bit) !== 0 && levels[doc]! >= level) continue
      bits[doc >>> 5] = word | bit
      used[doc >>> 10]! |= 1 << ((doc >>> 5) & 31)
      levels[doc] = level
    }
  }

  /** Removes a document; returns true if the set contained it. */
  delete(doc: number): boolean {
    const had = this.has(doc)
    this.#bits[doc >>> 5]! &= ~(1 << (doc & 31))
    return had
  }

  has(doc: number): boolean {
    return (this.#bits[doc >>> 5]! & (1 << (doc & 31))) !== 0
  }

  /** Returns the number of documents. */
  count(): number {
    const bits = this.#bits
    const used = this.#used
    let count = 0
    for (let i = 0; i < used.length; i++) {
      for (let left = used[i]!; left !== 0; left &= left - 1) {
        // Count the bits of a word in parallel (SWAR population count).
        let word = bits[i * 32 + 31 - Math.clz32(left & -left)]!
        word -= (word >>> 1) & 0x55555555
        word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
        count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
      }
    }
    return count
  }

  /**
   * Returns the documents of `docs` that are in the set, in the same order; overwrites `found`, which may be `docs`.
   */
  intersect(docs: Uint32Array, found: Uint32Array = new Uint32Array(docs.length)): Uint32Array {
    const bits = this.#bits
    let count = 0
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      if ((bits[doc >>> 5]! & (1 << (doc & 31))) !== 0) found[count++] = doc
    }
    return found.subarray(0, count)
  }

  /** Returns the documents of the set, ascending. */
  members(): Uint32Array {
    return this.membersFrom(0, new Uint32Array(this.count()))
  }

  /** Returns the documents from `from` on, ascending, as many as fit in `into`, which it overwrites. */
  membersFrom(from: number, into: Uint32Array): Uint32Array {
    const bits = this.#bits
    const used = this.#used
    const firstWord = from >>> 5
    let next = 0
    for (let i = firstWord >>> 5; i < used.length; i++) {
      for (let left = used[i]!; left !== 0; left &= left - 1) {
        const at = i * 32 + 31 - Math.clz32(left & -left)
        if (at < firstWord) continue
        for (let word = bits[at]! & (at === firstWord ? -1 << (from & 31) : -1); word !== 0; word &= word - 1) {
          if (next === into.length) return into
          into[next++] = at * 32 + 31 - Math.clz32(word & -word)
        }
      }
    }
    return into.subarray(0, next)
  }
}

/** Levels of the entries of a list of documents: the entry of `table` for the code of each. */
export interface LevelSource {
  readonly codes: Uint8Array
  readonly table: Uint16Array
}

const scratch = {
  listed: new WeakMap<object, Bitmap>(),
  preferred: new WeakMap<object, Bitmap>(),
  skipped: new WeakMap<object, Bitmap>(),
  certain: new WeakMap<object, Bitmap>(),
  inPlace: new WeakMap<object, Bitmap>(),
}
