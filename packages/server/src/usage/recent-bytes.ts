/** The last bytes of a file that grows, in a ring: adding a batch is one copy, and nothing is left to collect. */
export class RecentBytes {
  readonly #ring: Buffer
  /** Offsets in the file of the first available byte, and of the end. */
  readonly #range: Float64Array

  /** `range`: two numbers, both 0. They and the ring may be in memory that threads share. */
  constructor(ring: Buffer, range: Float64Array) {
    this.#ring = ring
    this.#range = range
  }

  /** Offset in the file of the first byte that is available. */
  get start(): number {
    return this.#range[0]!
  }

  /** Empties the ring for a file of `size` bytes. */
  reset(size: number): void {
    this.#range.fill(size, 0, 2)
  }

  /** Adds a batch at the end of the file. */
  append(batch: Buffer): void {
    const { length: capacity } = this.#ring
    const kept = batch.length > capacity ? batch.subarray(batch.length - capacity) : batch
    const end = this.#range[1]!
    const at = (end + batch.length - kept.length) % capacity
    const copied = kept.copy(this.#ring, at)
    if (copied < kept.length) kept.copy(this.#ring, 0, copied)
    this.#range[0] = Math.max(this.start, end + batch.length - capacity)
    this.#range[1] = end + batch.length
  }

  /** Returns a copy of the available bytes of a range of the file, from its end; may be shorter than the range. */
  read(from: number, to: number): Buffer {
    const { length: capacity } = this.#ring
    const first = Math.max(from, this.start)
    const length = Math.max(0, Math.min(to, this.#range[1]!) - first)
    const bytes = Buffer.allocUnsafe(length)
    const copied = this.#ring.copy(bytes, 0, first % capacity, Math.min(capacity, (first % capacity) + length))
    if (copied < length) this.#ring.copy(bytes, copied, 0, length - copied)
    return bytes
  }
}
