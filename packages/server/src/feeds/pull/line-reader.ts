/** A line that takes more is no record. */
const longestLine = 64 * 1024 * 1024
const firstRoom = 512 * 1024
const lineEnd = 10

/**
 * Walks over the lines of a stream of bytes without making a text or a buffer of each: `bytes` from `start` to `end` is
 * the present line, and stays so until the next call. `tryNext` goes on within what is at hand; where it says false,
 * `more` reads on: so that a million lines do not wait a million times.
 */
export class LineReader {
  bytes = Buffer.allocUnsafe(firstRoom)
  start = 0
  end = 0
  /** What of `bytes` is filled. */
  #view = this.bytes.subarray(0, 0)
  #at = 0
  #rest: Buffer | undefined
  readonly #chunks: AsyncIterator<Buffer>

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  tryNext(): boolean {
    const found = this.#view.indexOf(lineEnd, this.#at)
    if (found < 0) return false
    this.#lineTo(found, found + 1)
    return true
  }

  /** Reads on to the next line; false at the end. A last line may lack its line end. Throws RangeError over 64 MB. */
  async more(): Promise<boolean> {
    do if (this.tryNext()) return true
    while (await this.#fill())
    if (this.#at >= this.#view.length) return false
    this.#lineTo(this.#view.length, this.#view.length)
    return true
  }

  /** Ends the stream before its end. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #lineTo(end: number, next: number): void {
    this.start = this.#at
    this.end = end
    this.#at = next
  }

  /** Moves what is not yet read to the front and puts more behind it; false when there is no more. */
  async #fill(): Promise<boolean> {
    const chunk = this.#rest ?? (await this.#nextChunk())
    if (!chunk) return false
    const kept = this.#view.length - this.#at
    if (kept > longestLine) throw new RangeError('a line of more than 64 MB')
    const room = kept === this.bytes.length ? Buffer.allocUnsafe(2 * this.bytes.length) : this.bytes
    this.#view.copy(room, 0, this.#at)
    const taken = chunk.copy(room, kept)
    this.bytes = room
    this.#view = room.subarray(0, kept + taken)
    this.#at = 0
    this.#rest = taken < chunk.length ? chunk.subarray(taken) : undefined
    return true
  }

  async #nextChunk(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next()
    return done ? undefined : value
  }
}
