import { uuidBytes, writeUuid } from '../kit/uuid.ts'

/** Two 32-bit words for each slot. */
const wordsPerSlot = 2
const firstSlots = 1024
const maxLoad = 0.6

/**
 * A set of request ids. It keeps a hash of 64 bits of each, which takes 13 to 27 bytes instead of a hundred for the
 * text; of a million ids, two have the same hash with a probability of 3 in 10^8.
 */
export class IdSet {
  #words = new Int32Array(wordsPerSlot * firstSlots)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Takes the two words of `hashId`. */
  has(low: number, high: number): boolean {
    return this.#words[this.#find(low, high)] !== 0
  }

  /** Adds an id by the two words of `hashId`. Returns false if it was already present. */
  add(low: number, high: number): boolean {
    const at = this.#find(low, high)
    if (this.#words[at] !== 0) return false
    this.#words[at] = low
    this.#words[at + 1] = high
    if (++this.#size * wordsPerSlot > this.#words.length * maxLoad) this.#grow()
    return true
  }

  /** Returns the index of the slot with these words, or of the free slot for them. */
  #find(low: number, high: number): number {
    const words = this.#words
    const mask = words.length - 1
    let at = (high * wordsPerSlot) & mask
    while (words[at] !== 0 && (words[at] !== low || words[at + 1] !== high)) at = (at + wordsPerSlot) & mask
    return at
  }

  #grow(): void {
    const old = this.#words
    this.#words = new Int32Array(old.length * 2)
    for (let i = 0; i < old.length; i += wordsPerSlot) {
      if (old[i] === 0) continue
      const at = this.#find(old[i]!, old[i + 1]!)
      this.#words[at] = old[i]!
      this.#words[at + 1] = old[i + 1]!
    }
  }
}

/** Returns the first word of the hash of the id at an offset of a buffer. It is never 0, which marks a free slot. */
export const hashLow = (source: DataView, at = 0): number =>
  mix(source.getInt32(at + 8, true) ^ Math.imul(source.getInt32(at + 4, true), multiplier)) || 1

/** Returns the second word. */
export const hashHigh = (source: DataView, at = 0): number =>
  mix(source.getInt32(at + 12, true) ^ Math.imul(source.getInt32(at, true), multiplier))

const multiplier = 0x9e3779b1

/** Distributes the bits of a word (the finalizer of MurmurHash3). */
function mix(word: number): number {
  const half = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35)
  return whole ^ (whole >>> 16)
}

const scratch = Buffer.alloc(uuidBytes)
const scratchView = new DataView(scratch.buffer, scratch.byteOffset, uuidBytes)

/**
 * Returns the bytes of an id to hash, which the next call overwrites; of a text that is not a UUID, two hashes
 * (cyrb53).
 */
export function wordsOfId(id: string): DataView {
  if (writeUuid(id, scratch, 0)) return scratchView
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i)
    low = Math.imul(low ^ code, 2_654_435_761)
    high = Math.imul(high ^ code, 1_597_334_677)
  }
  scratch.fill(0)
  scratch.writeInt32LE(low, 8)
  scratch.writeInt32LE(high, 12)
  return scratchView
}
