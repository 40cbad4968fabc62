import { createHash, type Hash } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import type { RecordId } from '../domain/feed.ts'

const space = 32
const newline = 10
const zero = 48
const nine = 57
/** `-`, which replaces the hash of a removed record. */
const tombstoneMark = 45
/** Maximum number of digits that a double represents exactly. */
const safeDigits = 15
const readSize = 262_144
/** Maximum length of a line, in bytes; a file with a longer one is damaged. */
const maxLineBytes = 65_536

/** Thrown if a file of digests is torn, or does not have the contents that its manifest states. */
export class DamagedDigests extends Error {
  readonly file: string

  constructor(file: string, options?: ErrorOptions) {
    super(`${file} is damaged.`, options)
    this.file = file
  }
}

/** The contents of a file of digests. */
export interface DigestsFormat {
  /** True if ids are words instead of numbers. */
  readonly wordIds: boolean
  /** Number of lines. */
  readonly records: number
  /** SHA-256 of the lines; undefined if it is not known. */
  readonly checksum?: string
}

/**
 * Reads a file of digests line by line. Parses only the lines whose id or hash is requested. Throws DamagedDigests if
 * the file is torn; at the end also if it does not have the contents that `format` names.
 */
export class DigestReader {
  readonly #file: string
  readonly #format: DigestsFormat
  readonly #sha256: Hash | undefined
  readonly #input: ReadStream
  #inputError: Error | undefined
  #lines = 0
  #ended = false
  readonly #pieces: AsyncIterator<Buffer>
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0
  /** Position after the last line end in the buffer. */
  #linesEnd = 0
  #spaceAt = 0
  #id: RecordId | number | undefined

  constructor(path: string, format: DigestsFormat) {
    this.#file = path
    this.#format = format
    this.#sha256 = format.checksum === undefined ? undefined : createHash('sha256')
    this.#input = createReadStream(path, { highWaterMark: readSize })
    const decompressed = this.#input.pipe(createZstdDecompress({ chunkSize: readSize }))
    this.#input.on('error', error => {
      this.#inputError = error
      decompressed.destroy(error)
    })
    this.#pieces = decompressed[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** True if a line is in memory; otherwise await `more`. */
  get ready(): boolean {
    return this.#at < this.#linesEnd
  }

  /** Reads more lines; returns false at the end. */
  async more(): Promise<boolean> {
    while (!this.ready) {
      if (this.#ended) return false
      const { done, value } = await this.#next()
      if (done) {
        this.#ended = true
        this.#checkEnd()
        return false
      }
      this.#sha256?.update(value)
      if (this.#buffer.length - this.#at > maxLineBytes) throw this.#damaged()
      this.#buffer = Buffer.concat([this.#buffer.subarray(this.#at), value])
      this.#at = 0
      this.#id = undefined
      this.#linesEnd = this.#buffer.lastIndexOf(newline) + 1
    }
    return true
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#pieces.next()
    } catch (error) {
      throw this.#inputError ?? this.#damaged(error)
    }
  }

  #checkEnd(): void {
    const { records, checksum } = this.#format
    const isComplete = this.#at === this.#buffer.length && this.#lines === records
    if (!isComplete || this.#sha256?.digest('hex') !== checksum) throw this.#damaged()
  }

  #damaged(cause?: unknown): DamagedDigests {
    return new DamagedDigests(this.#file, { cause })
  }

  /** Id of the current line; a number if a double represents it exactly. */
  get id(): RecordId | number {
    this.#id ??= this.#format.wordIds ? this.#readWord() : this.#readNumber()
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
    this.#lines++
  }

  close(): void {
    this.#input.destroy()
  }

  #readWord(): string {
    this.#spaceAt = this.#buffer.indexOf(space, this.#at)
    if (this.#spaceAt < 0) throw this.#damaged()
    return this.#buffer.toString('utf8', this.#at, this.#spaceAt)
  }

  #readNumber(): bigint | number {
    let value = 0
    let at = this.#at
    for (let byte = this.#buffer[at]; byte !== space; byte = this.#buffer[++at]) {
      if (byte === undefined || byte < zero || byte > nine) throw this.#damaged()
      value = value * 10 + byte - zero
    }
    this.#spaceAt = at
    return at - this.#at <= safeDigits ? value : BigInt(this.#buffer.toString('latin1', this.#at, at))
  }

  /** Returns the position after the line end. The hash is 64 hex digits, or `-` for a removed record. */
  #lineEnd(): number {
    return this.#spaceAt + (this.#buffer[this.#spaceAt + 1] === tombstoneMark ? 3 : 66)
  }
}
