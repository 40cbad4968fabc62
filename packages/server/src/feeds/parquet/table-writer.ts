import { join } from 'node:path'
import type { Edition, RecordId, SnapshotPart } from '../../domain/feed.ts'
import { parseLongJson } from '../../kit/long-json.ts'
import type { PlannedEdition } from '../editions.ts'
import { type Box, createGeoMetadata, extendBox } from './geometry.ts'
import { ParquetFile } from './parquet-file.ts'
import { type FeedRecord, listColumns, readBox, type TableColumn } from './table.ts'

export interface TableSettings {
  /** Maximum size of a part on disk. */
  readonly maxBytes: number
  readonly createdBy: string
}

/** Maximum rows of a row group. */
const maxGroupRows = 50_000
/** Maximum size of the lines of a row group in characters: their values are in memory until it is written. */
const maxGroupChars = 8_388_608

interface OpenPart {
  readonly name: string
  readonly file: ParquetFile
  records: number
  readonly min: RecordId
  max: RecordId
  box: Box | undefined
}

/** Writes the records of a full snapshot, in ascending order of id, to Parquet parts `part-00000.parquet` …. */
export class TableWriter {
  readonly #folder: string
  readonly #edition: Edition
  readonly #settings: TableSettings
  readonly #columns: readonly TableColumn[]
  readonly #isSpatial: boolean
  readonly #files: SnapshotPart[] = []
  #part: OpenPart | undefined
  #group: unknown[][] = []
  #chars = 0

  constructor(folder: string, { feed, version, presenters }: PlannedEdition, settings: TableSettings) {
    this.#folder = folder
    this.#edition = { feed, version }
    this.#settings = settings
    this.#columns = listColumns(feed, presenters)
    this.#isSpatial = this.#columns.some(({ name }) => name === 'geometry')
    this.#startGroup()
  }

  /** Adds a record by its line, and the SHA-256 of the line. */
  add(id: RecordId, line: string, sha256: string): void {
    const record = parseLongJson(line) as FeedRecord
    this.#part ??= this.#newPart(id)
    const part = this.#part
    for (const [i, column] of this.#columns.entries()) this.#group[i]!.push(column.read(record, sha256))
    if (this.#isSpatial) part.box = extendBox(part.box, readBox(record))
    part.records++
    part.max = id
    this.#chars += line.length
    if (this.#group[0]!.length >= maxGroupRows || this.#chars >= this.#groupChars) this.#endGroup()
  }

  /** Writes the remaining rows, syncs all parts to disk and returns them. */
  close(): readonly SnapshotPart[] {
    this.#endGroup()
    this.#endPart()
    return this.#files
  }

  abandon(): void {
    this.#part?.file.abandon()
  }

  /** A row group is far smaller than a part, so that parts end near their maximum size. */
  get #groupChars(): number {
    return Math.min(maxGroupChars, this.#settings.maxBytes >> 3)
  }

  #startGroup(): void {
    this.#group = this.#columns.map(() => [])
    this.#chars = 0
  }

  #endGroup(): void {
    if (!this.#part || this.#group[0]!.length === 0) return
    const { file } = this.#part
    file.writeGroup(this.#group)
    // The next group is at most as large as its lines, and the metadata of the file is smaller than one.
    if (file.bytes + 2 * this.#groupChars > this.#settings.maxBytes) this.#endPart()
    this.#startGroup()
  }

  #newPart(first: RecordId): OpenPart {
    const name = `part-${String(this.#files.length).padStart(5, '0')}.parquet`
    const file = new ParquetFile(join(this.#folder, name), this.#columns, this.#settings.createdBy)
    return { name, file, records: 0, min: first, max: first, box: undefined }
  }

  #endPart(): void {
    if (!this.#part) return
    const { name, file, records, min, max, box } = this.#part
    this.#part = undefined
    const { feed, version } = this.#edition
    const metadata = { 'periplus.feed': feed, 'periplus.version': version }
    const { bytes, sha256 } = file.close({ ...(this.#isSpatial && { geo: createGeoMetadata(box) }), ...metadata })
    this.#files.push({ name, bytes, records, sha256, min_id: min, max_id: max })
  }
}
