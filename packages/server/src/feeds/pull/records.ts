import type { RecordId, SnapshotFile } from '../../domain/feed.ts'
import { LineReader } from './line-reader.ts'
import { Mismatch } from './outcome.ts'
import { type KeyKind, parseKey, type RecordKey, readHead } from './record-key.ts'

/** Records in ascending order of id. The current one is in `bytes` from `start` to `end`, valid until the next call. */
export interface RecordStream {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly key: RecordKey
  readonly tombstone: boolean
  /** Advances to the next record in memory; returns false if `more` must be awaited. */
  tryNext(): boolean
  /** Advances to the next record, reading more bytes if required; returns false at the end. */
  more(): Promise<boolean>
}

/** A section of a stream: a part of a snapshot with expected values from the manifest, or an entire result file. */
export interface Section {
  readonly name: string
  readonly chunks: AsyncIterable<Buffer>
  readonly expected?: Pick<SnapshotFile, 'records' | 'min_id' | 'max_id'>
}

/**
 * Reads the records of consecutive sections and checks them: each line has an id, ids ascend across all sections, and
 * each section has the records that its manifest lists. `createError` creates the error to throw from a message.
 */
export class Records implements RecordStream {
  key: RecordKey = 0
  tombstone = false
  records = 0
  tombstones = 0
  readonly #sections: AsyncIterator<Section>
  readonly #kind: KeyKind
  readonly #createError: (message: string) => Error
  #section: Section | undefined
  #lines: LineReader | undefined
  #inSection = 0
  #first: RecordKey | undefined

  constructor(
    sections: AsyncIterable<Section>,
    kind: KeyKind,
    createError: (message: string) => Error = message => new Mismatch(message),
  ) {
    this.#sections = sections[Symbol.asyncIterator]()
    this.#kind = kind
    this.#createError = createError
  }

  get bytes(): Buffer {
    return this.#lines!.bytes
  }

  get start(): number {
    return this.#lines!.start
  }

  get end(): number {
    return this.#lines!.end
  }

  tryNext(): boolean {
    if (!this.#lines?.tryNext()) return false
    this.#readHead()
    return true
  }

  async more(): Promise<boolean> {
    for (;;) {
      if (this.#lines && (await this.#moreLines(this.#lines))) {
        this.#readHead()
        return true
      }
      if (this.#section) this.#checkEnd(this.#section)
      const { done, value } = await this.#sections.next()
      if (done) return false
      this.#section = value
      this.#lines = new LineReader(value.chunks)
      this.#inSection = 0
      this.#first = undefined
    }
  }

  async close(): Promise<void> {
    await this.#lines?.close()
    await this.#sections.return?.()
  }

  async #moreLines(lines: LineReader): Promise<boolean> {
    try {
      return await lines.more()
    } catch (error) {
      if (error instanceof RangeError) throw this.#error(`has ${error.message}`)
      // zlib errors mean that the bytes are not complete zstd or gzip data.
      if (/^(ZSTD|Z)_/.test((error as NodeJS.ErrnoException).code ?? '')) throw this.#error('cannot be decompressed')
      throw error
    }
  }

  #readHead(): void {
    const lines = this.#lines!
    const head = readHead(lines.bytes, lines.start, lines.end, this.#kind)
    this.#inSection++
    if (!head) throw this.#error(`has no valid record id in line ${this.#inSection}`)
    if (this.records > 0 && head.key <= this.key)
      throw this.#error(`is not in ascending order of id: ${head.key} comes after ${this.key}`)
    this.#first ??= head.key
    this.key = head.key
    this.tombstone = head.tombstone
    this.records++
    if (head.tombstone) this.tombstones++
  }

  #checkEnd({ expected }: Section): void {
    if (!expected) return
    const { records, min_id, max_id } = expected
    if (this.#inSection !== records)
      throw this.#error(`has ${this.#inSection} records, but its manifest lists ${records}`)
    const expectedKey = (id: RecordId) => parseKey(id, this.#kind)
    if (records > 0 && (this.#first !== expectedKey(min_id) || this.key !== expectedKey(max_id)))
      throw this.#error(`has ids from ${this.#first} to ${this.key}, but its manifest lists ${min_id} to ${max_id}`)
  }

  #error(predicate: string): Error {
    return this.#createError(`${this.#section!.name} ${predicate}.`)
  }
}
