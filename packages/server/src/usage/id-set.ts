/** Two 32-bit words for each slot. */
const wordsPerSlot = 2
const firstSlots = 1024
const maxLoad = 0.6

/**
 * A set of request ids. It keeps 64 bits of each, which takes 13 to 27 bytes instead of a hundred for the text; of a
 * million ids, two have the same bits with a probability of 3 in 10^8.
 */
export class IdSet {
  #words = new Uint32Array(wordsPerSlot * firstSlots)
  #size = 0

  get size(): number {
    return this.#size
  }

  has(id: string): boolean {
    hash(id)
    return this.#words[this.#find(hashLow, hashHigh)] !== 0
  }

  /** Adds an id. Returns false if it was already present. */
  add(id: string): boolean {
    hash(id)
    const at = this.#find(hashLow, hashHigh)
    if (this.#words[at] !== 0) return false
    this.#words[at] = hashLow
    this.#words[at + 1] = hashHigh
    if (++this.#size * wordsPerSlot > this.#words.length * maxLoad) this.#grow()
    return true
  }

  /** Returns the index of the slot with these bits, or of the free slot for them. */
  #find(low: number, high: number): number {
    const words = this.#words
    const mask = words.length - 1
    let at = (high * wordsPerSlot) & mask
    while (words[at] !== 0 && (words[at] !== low || words[at + 1] !== high)) at = (at + wordsPerSlot) & mask
    return at
  }

  #grow(): void {
    const old = this.#words
    this.#words = new Uint32Array(old.length * 2)
    for (let i = 0; i < old.length; i += wordsPerSlot) {
      if (old[i] === 0) continue
      const at = this.#find(old[i]!, old[i + 1]!)
      this.#words[at] = old[i]!
      this.#words[at + 1] = old[i + 1]!
    }
  }
}

/** The result of `hash`. Not returned, because an object for each id would cost more than the hash. */
let hashLow = 0
let hashHigh = 0

/**
 * Computes two 32-bit hashes of an id with different multipliers (cyrb53). The first is never 0, which marks a free
 * slot.
 */
function hash(id: string): void {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i)
    low = Math.imul(low ^ code, 2_654_435_761)
    high = Math.imul(high ^ code, 1_597_334_677)
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  hashLow = low >>> 0 || 1
  hashHigh = high >>> 0
}
