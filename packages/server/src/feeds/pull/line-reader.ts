/** Maximum length of a line in bytes. */
const maxLineBytes = 64 * 1024 * 1024
const initialBytes = 512 * 1024
const lineEnd = 10

/**
 * Reads the lines of a byte stream without creating a string or buffer for each: the current line is in `bytes` from
 * `start` to `end`, valid until the next call. `tryNext` advances within the bytes in memory, which avoids a
 * promise for every line; if it returns false, await `more`.
 */
export class LineReader {
  bytes = Buffer.allocUnsafe(initialBytes)
  start = 0
  end = 0
  /** The filled part of `bytes`. */
  #view = this.bytes.subarray(0, 0)
  #at = 0
  #rest: Buffer | undefined
  readonly #chunks: AsyncIterator<Buffer>

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Advances to the next line in memory; false if `more` must be awaited. */
  tryNext(): boolean {
    const found = this.#view.indexOf(lineEnd, this.#at)
    if (found < 0) return false
    this.#setLine(found, found + 1)
    return true
  }

  /**
   * Advances to the next line, reading more bytes if needed; false at the end. The last line needs no line end. Throws
   * RangeError for a line over 64 MB.
   */
  async more(): Promise<boolean> {
    if (this.tryNext()) return true
    while (await this.#fill()) if (this.tryNext()) return true
    if (this.#at >= this.#view.length) return false
    this.#setLine(this.#view.length, this.#view.length)
    return true
  }

  /** Closes the stream before its end. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #setLine(end: number, next: number): void {
    this.start = this.#at
    this.end = end
    this.#at = next
  }

  /** Moves the unread bytes to the front and appends the next chunk; false at the end. */
  async #fill(): Promise<boolean> {
    const chunk = this.#rest ?? (await this.#nextChunk())
    if (!chunk) return false
    const kept = this.#view.length - this.#at
    if (kept > maxLineBytes) throw new RangeError('a line of more than 64 MB')
    const buffer = kept === this.bytes.length ? Buffer.allocUnsafe(2 * this.bytes.length) : this.bytes
    this.#view.copy(buffer, 0, this.#at)
    const copied = chunk.copy(buffer, kept)
    this.bytes = buffer
    this.#view = buffer.subarray(0, kept + copied)
    this.#at = 0
    this.#rest = copied < chunk.length ? chunk.subarray(copied) : undefined
    return true
  }

  async #nextChunk(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next()
    return done ? undefined : value
  }
}
