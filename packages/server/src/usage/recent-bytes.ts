/** The last bytes of a file that grows, in a ring: adding a batch is one copy, and nothing is left to collect. */
export class RecentBytes {
  readonly #ring: Buffer
  #start = 0
  #end = 0

  constructor(capacity: number) {
    this.#ring = Buffer.allocUnsafeSlow(capacity)
  }

  /** Offset in the file of the first byte that is available. */
  get start(): number {
    return this.#start
  }

  /** Empties the ring for a file of `size` bytes. */
  reset(size: number): void {
    this.#start = size
    this.#end = size
  }

  /** Adds a batch at the end of the file. */
  append(batch: Buffer): void {
    const { length: capacity } = this.#ring
    const kept = batch.length > capacity ? batch.subarray(batch.length - capacity) : batch
    const at = (this.#end + batch.length - kept.length) % capacity
    const copied = kept.copy(this.#ring, at)
    if (copied < kept.length) kept.copy(this.#ring, 0, copied)
    this.#end += batch.length
    this.#start = Math.max(this.#start, this.#end - capacity)
  }

  /** Returns a copy of the available bytes of a range of the file, from its end; may be shorter than the range. */
  read(from: number, to: number): Buffer {
    const { length: capacity } = this.#ring
    const first = Math.max(from, this.#start)
    const length = Math.max(0, Math.min(to, this.#end) - first)
    const bytes = Buffer.allocUnsafe(length)
    const copied = this.#ring.copy(bytes, 0, first % capacity, Math.min(capacity, (first % capacity) + length))
    if (copied < length) this.#ring.copy(bytes, copied, 0, length - copied)
    return bytes
  }
}
