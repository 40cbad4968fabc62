import { join } from 'node:path'
import type { FileEncoding, RecordId, SnapshotFile } from '../domain/feed.ts'
import { CompressedFile } from './compressed-file.ts'

export interface PartSettings {
  readonly encoding: FileEncoding
  /** Maximum size of a part on disk. */
  readonly maxBytes: number
}

const extensions: Readonly<Record<FileEncoding, string>> = { zstd: 'zst', gzip: 'gz' }
const level = 3
const largestChunk = 262_144

/** Returns the maximum compressed size of `bytes`, including block and frame trailers. */
const maxCompressedBytes = (bytes: number): number => bytes + (bytes >> 8) + 1024

/** Buffered lines, and their number and ids for the manifest. */
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
  /** Compressed size at the last flush. */
  flushed: number
  /** Uncompressed bytes written since the last flush. */
  pending: number
}

/** Writes lines, in ascending order of id, to parts `part-00000.ndjson.zst` … of at most `maxBytes` each. */
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

  /** True if `drain` should be awaited before the next line. */
  get needsDrain(): boolean {
    return this.#chunk !== undefined && this.#chunk.text.length >= this.#chunkSize
  }

  /** Starts writing the buffered lines in the background. */
  async drain(): Promise<void> {
    const chunk = this.#chunk
    this.#chunk = undefined
    await this.#writing
    if (!chunk) return
    this.#writing = this.#write(chunk)
    // The next caller that awaits it sees the error.
    this.#writing.catch(() => {})
  }

  /** Writes the buffered lines, syncs all parts to disk and returns them. */
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

  /** Returns true if `bytes` more fit in a part. Flushes only if required, because flushing reduces compression. */
  async #fits(part: OpenPart, bytes: number): Promise<boolean> {
    const { maxBytes } = this.#settings
    if (part.flushed + maxCompressedBytes(part.pending + bytes) <= maxBytes) return true
    await part.file.flush()
    part.flushed = part.file.bytes
    part.pending = 0
    return part.flushed + maxCompressedBytes(bytes) <= maxBytes
  }

  #newPart(first: RecordId): OpenPart {
    const { encoding } = this.#settings
    const name = `part-${String(this.#files.length).padStart(5, '0')}.ndjson.${extensions[encoding]}`
    const file = new CompressedFile(join(this.#folder, name), encoding, level)
    return { name, file, records: 0, min: first, max: first, flushed: 0, pending: 0 }
  }

  async #endPart(): Promise<void> {
    if (!this.#part) return
    const { name, file, records, min, max } = this.#part
    this.#part = undefined
    const { bytes, sha256 } = await file.close()
    this.#files.push({ name, bytes, records, sha256, min_id: min, max_id: max, encoding: this.#settings.encoding })
  }
}
