import type { RecordId, SnapshotFile } from '../../domain/feed.ts'
import { LineReader } from './line-reader.ts'
import { Mismatch } from './outcome.ts'
import { type KeyKind, keyOf, type RecordKey, readHead } from './record-key.ts'

/** Records in ascending order of id; the present one is `bytes` from `start` to `end`, until the next call. */
export interface RecordStream {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly key: RecordKey
  readonly tombstone: boolean
  /** Goes on within what is at hand; false when `more` has to read on. */
  tryNext(): boolean
  /** Reads on to the next record; false at the end. */
  more(): Promise<boolean>
}

/** A piece of a stream: a part of a snapshot with what its manifest says of it, or a whole file of our own. */
export interface Section {
  readonly name: string
  readonly chunks: AsyncIterable<Buffer>
  readonly expected?: Pick<SnapshotFile, 'records' | 'min_id' | 'max_id'>
}

/**
 * The records of sections that follow one another, checked while they are read: each line has an id, ids ascend over
 * all sections, and each section has the records that were promised. Throws what `complain` makes of a sentence.
 */
export class Records implements RecordStream {
  key: RecordKey = 0
  tombstone = false
  records = 0
  tombstones = 0
  readonly #sections: AsyncIterator<Section>
  readonly #kind: KeyKind
  readonly #complain: (sentence: string) => Error
  #section: Section | undefined
  #lines: LineReader | undefined
  #inSection = 0
  #first: RecordKey | undefined

  constructor(
    sections: AsyncIterable<Section>,
    kind: KeyKind,
    complain: (sentence: string) => Error = sentence => new Mismatch(sentence),
  ) {
    this.#sections = sections[Symbol.asyncIterator]()
    this.#kind = kind
    this.#complain = complain
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
    this.#take()
    return true
  }

  async more(): Promise<boolean> {
    for (;;) {
      if (this.#lines && (await this.#moreLines(this.#lines))) {
        this.#take()
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
      if (error instanceof RangeError) throw this.#wrong(`has ${error.message}`)
      // zlib's own: the bytes are no whole zstd or gzip.
      if (/^(ZSTD|Z)_/.test((error as NodeJS.ErrnoException).code ?? '')) throw this.#wrong('cannot be unpacked')
      throw error
    }
  }

  #take(): void {
    const lines = this.#lines!
    const head = readHead(lines.bytes, lines.start, lines.end, this.#kind)
    this.#inSection++
    if (!head) throw this.#wrong(`has no record with an id in line ${this.#inSection}`)
    if (this.records > 0 && head.key <= this.key)
      throw this.#wrong(`is not in ascending order of id: ${head.key} comes after ${this.key}`)
    this.#first ??= head.key
    this.key = head.key
    this.tombstone = head.tombstone
    this.records++
    if (head.tombstone) this.tombstones++
  }

  #checkEnd({ expected }: Section): void {
    if (!expected) return
    const { records, min_id, max_id } = expected
    if (this.#inSection !== records) throw this.#wrong(`has ${this.#inSection} records, where ${records} were promised`)
    const promised = (id: RecordId) => keyOf(id, this.#kind)
    if (records > 0 && (this.#first !== promised(min_id) || this.key !== promised(max_id)))
      throw this.#wrong(`has ids from ${this.#first} to ${this.key}, where ${min_id} to ${max_id} were promised`)
  }

  #wrong(what: string): Error {
    return this.#complain(`${this.#section!.name} ${what}.`)
  }
}
