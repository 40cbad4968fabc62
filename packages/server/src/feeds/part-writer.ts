import { join } from 'node:path'
import type { FileEncoding, RecordId, SnapshotFile } from '../domain/feed.ts'
import { CompressedFile } from './compressed-file.ts'

export interface PartSettings {
  readonly encoding: FileEncoding
  /** The most that a part takes on disk. */
  readonly maxBytes: number
}

const extensions: Readonly<Record<FileEncoding, string>> = { zstd: 'zst', gzip: 'gz' }
const level = 3
const largestChunk = 262_144

/** What compression can make of `bytes` at worst, ends of blocks and of the file included. */
const worstCase = (bytes: number): number => bytes + (bytes >> 8) + 1024

/** Lines that wait to be written, and what a part has to know of them. */
interface Chunk {
  text: string
  records: number
  first: RecordId
  last: RecordId
}

interface OpenPart {
  readonly name: string
  readonly file: CompressedFile
  records: number
  min: RecordId
  max: RecordId
  /** Compressed bytes known to be out, and bytes handed in since. */
  settled: number
  pending: number
}

/** Writes lines, ascending by id, into parts `part-00000.ndjson.zst` … of at most `maxBytes` each. */
export class PartWriter {
  readonly #folder: string
  readonly #settings: PartSettings
  readonly #chunkSize: number
  readonly #files: SnapshotFile[] = []
  #chunk: Chunk | undefined
  #part: OpenPart | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string, settings: PartSettings) {
    this.#folder = folder
    this.#settings = settings
    this.#chunkSize = Math.min(largestChunk, settings.maxBytes >> 4)
  }

  add(id: RecordId, line: string): void {
    this.#chunk ??= { text: '', records: 0, first: id, last: id }
    this.#chunk.text += line
    this.#chunk.text += '\n'
    this.#chunk.records++
    this.#chunk.last = id
  }

  /** Whether enough is waiting that `drain` should be awaited before more is added. */
  get full(): boolean {
    return this.#chunk !== undefined && this.#chunk.text.length >= this.#chunkSize
  }

  /** Hands on what waits; compressing it goes on while the next lines are made. */
  async drain(): Promise<void> {
    const chunk = this.#chunk
    this.#chunk = undefined
    await this.#writing
    if (!chunk) return
    this.#writing = this.#write(chunk)
    // Whoever awaits it next is told.
    this.#writing.catch(() => {})
  }

  /** Writes what is left; gives all parts, on disk. */
  async close(): Promise<readonly SnapshotFile[]> {
    await this.drain()
    await this.#writing
    await this.#endPart()
    return this.#files
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => {})
    this.#part?.file.abandon()
  }

  async #write(chunk: Chunk): Promise<void> {
    const bytes = Buffer.from(chunk.text)
    if (this.#part && !(await this.#fits(this.#part, bytes.length))) await this.#endPart()
    this.#part ??= this.#newPart(chunk.first)
    const part = this.#part
    await part.file.write(bytes)
    part.pending += bytes.length
    part.records += chunk.records
    part.max = chunk.last
  }

  /** Flushing tells how much is really out, and is needed only when the worst case would be too much. */
  async #fits(part: OpenPart, bytes: number): Promise<boolean> {
    const { maxBytes } = this.#settings
    if (part.settled + worstCase(part.pending + bytes) <= maxBytes) return true
    await part.file.flush()
    part.settled = part.file.bytes
    part.pending = 0
    return part.settled + worstCase(bytes) <= maxBytes
  }

  #newPart(first: RecordId): OpenPart {
    const { encoding } = this.#settings
    const name = `part-${String(this.#files.length).padStart(5, '0')}.ndjson.${extensions[encoding]}`
    const file = new CompressedFile(join(this.#folder, name), encoding, level)
    return { name, file, records: 0, min: first, max: first, settled: 0, pending: 0 }
  }

  async #endPart(): Promise<void> {
    if (!this.#part) return
    const { name, file, records, min, max } = this.#part
    this.#part = undefined
    const { bytes, sha256 } = await file.close()
    this.#files.push({ name, bytes, records, sha256, min_id: min, max_id: max, encoding: this.#settings.encoding })
  }
}
