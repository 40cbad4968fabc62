import { createReadStream, type ReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import type { RecordId } from '../domain/feed.ts'

const space = 32
const newline = 10
const zero = 48
/** `-`, which replaces the hash of a removed record. */
const tombstoneMark = 45
/** Maximum number of digits that a double represents exactly. */
const safeDigits = 15
const readSize = 262_144

/** Reads a file of digests line by line. Parses only the lines whose id or hash is requested. */
export class DigestReader {
  readonly #input: ReadStream
  readonly #pieces: AsyncIterator<Buffer>
  readonly #wordIds: boolean
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0
  /** Position after the last line end in the buffer. */
  #linesEnd = 0
  #spaceAt = 0
  #id: RecordId | number | undefined

  /** `wordIds`: true if ids are words instead of numbers. */
  constructor(path: string, { wordIds }: { readonly wordIds: boolean }) {
    this.#wordIds = wordIds
    this.#input = createReadStream(path, { highWaterMark: readSize })
    const decompressed = this.#input.pipe(createZstdDecompress({ chunkSize: readSize }))
    this.#input.on('error', error => decompressed.destroy(error))
    this.#pieces = decompressed[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** True if a line is in memory; otherwise await `more`. */
  get ready(): boolean {
    return this.#at < this.#linesEnd
  }

  /** Reads more lines; returns false at the end. */
  async more(): Promise<boolean> {
    while (!this.ready) {
      const { done, value } = await this.#pieces.next()
      if (done) return false
      this.#buffer = Buffer.concat([this.#buffer.subarray(this.#at), value])
      this.#at = 0
      this.#id = undefined
      this.#linesEnd = this.#buffer.lastIndexOf(newline) + 1
    }
    return true
  }

  /** Id of the current line; a number if a double represents it exactly. */
  get id(): RecordId | number {
    this.#id ??= this.#wordIds ? this.#readWord() : this.#readNumber()
    return this.#id
  }

  /** Hash of the current line; `-` for a removed record. */
  get hash(): string {
    void this.id
    return this.#buffer.toString('latin1', this.#spaceAt + 1, this.#lineEnd() - 1)
  }

  /** Moves to the next line; `copy` receives the bytes of the current one. */
  advance(copy?: (buffer: Buffer, from: number, to: number) => void): void {
    void this.id
    const end = this.#lineEnd()
    copy?.(this.#buffer, this.#at, end)
    this.#at = end
    this.#id = undefined
  }

  close(): void {
    this.#input.destroy()
  }

  #readWord(): string {
    this.#spaceAt = this.#buffer.indexOf(space, this.#at)
    return this.#buffer.toString('utf8', this.#at, this.#spaceAt)
  }

  #readNumber(): bigint | number {
    let value = 0
    let at = this.#at
    for (let byte = this.#buffer[at]!; byte !== space; byte = this.#buffer[++at]!) value = value * 10 + byte - zero
    this.#spaceAt = at
    return at - this.#at <= safeDigits ? value : BigInt(this.#buffer.toString('latin1', this.#at, at))
  }

  /** Returns the position after the line end. The hash is 64 hex digits, or `-` for a removed record. */
  #lineEnd(): number {
    return this.#spaceAt + (this.#buffer[this.#spaceAt + 1] === tombstoneMark ? 3 : 66)
  }
}
