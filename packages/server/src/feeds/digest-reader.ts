import { createReadStream, type ReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import type { RecordId } from '../domain/feed.ts'

const blank = 32
const newline = 10
const zero = 48
/** `-`. */
const goneMark = 45
/** Numbers of so many digits fit a double. */
const safeDigits = 15
const readSize = 262_144

/** Reads a file of digests line by line, without making anything of lines that nobody asks for. */
export class DigestReader {
  readonly #input: ReadStream
  readonly #pieces: AsyncIterator<Buffer>
  readonly #words: boolean
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0
  /** Behind the last line end in the buffer. */
  #whole = 0
  #blankAt = 0
  #id: RecordId | number | undefined

  /** `words`: ids are words, not numbers. */
  constructor(path: string, { words }: { readonly words: boolean }) {
    this.#words = words
    this.#input = createReadStream(path, { highWaterMark: readSize })
    const unpacked = this.#input.pipe(createZstdDecompress({ chunkSize: readSize }))
    this.#input.on('error', error => unpacked.destroy(error))
    this.#pieces = unpacked[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** Whether a line is at hand; otherwise `more` has to be awaited. */
  get ready(): boolean {
    return this.#at < this.#whole
  }

  /** Brings the next lines; false at the end. */
  async more(): Promise<boolean> {
    while (!this.ready) {
      const { done, value } = await this.#pieces.next()
      if (done) return false
      this.#buffer = Buffer.concat([this.#buffer.subarray(this.#at), value])
      this.#at = 0
      this.#id = undefined
      this.#whole = this.#buffer.lastIndexOf(newline) + 1
    }
    return true
  }

  /** The id of the line at hand; a number where it is short. */
  get id(): RecordId | number {
    this.#id ??= this.#words ? this.#word() : this.#number()
    return this.#id
  }

  /** The hash of the line at hand. */
  get hash(): string {
    void this.id
    return this.#buffer.toString('latin1', this.#blankAt + 1, this.#lineEnd() - 1)
  }

  /** Gives the line at hand to `take`, bytes from and to, and goes on. */
  pass(take?: (buffer: Buffer, from: number, to: number) => void): void {
    void this.id
    const end = this.#lineEnd()
    take?.(this.#buffer, this.#at, end)
    this.#at = end
    this.#id = undefined
  }

  close(): void {
    this.#input.destroy()
  }

  #word(): string {
    this.#blankAt = this.#buffer.indexOf(blank, this.#at)
    return this.#buffer.toString('utf8', this.#at, this.#blankAt)
  }

  #number(): bigint | number {
    let value = 0
    let at = this.#at
    for (let byte = this.#buffer[at]!; byte !== blank; byte = this.#buffer[++at]!) value = value * 10 + byte - zero
    this.#blankAt = at
    return at - this.#at <= safeDigits ? value : BigInt(this.#buffer.toString('latin1', this.#at, at))
  }

  /** Behind the line end: 64 hex digits, or the mark of a record that is gone. */
  #lineEnd(): number {
    return this.#blankAt + (this.#buffer[this.#blankAt + 1] === goneMark ? 3 : 66)
  }
}
