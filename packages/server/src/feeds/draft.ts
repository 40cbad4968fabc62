import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, RecordId, SnapshotFile, SnapshotKind, SnapshotPart } from '../domain/feed.ts'
import { syncFolder } from '../kit/replace-file.ts'
import { DigestWriter } from './digest-writer.ts'
import type { TableWriter } from './parquet/table-writer.ts'
import { type PartSettings, PartWriter } from './part-writer.ts'
import type { Tombstone } from './records.ts'
import { editionFolder } from './snapshot-files.ts'
import { digestsName } from './snapshot-names.ts'

/** Contents of a completed draft. */
export interface DraftContents {
  readonly files: readonly SnapshotFile[]
  readonly parquetFiles: readonly SnapshotPart[] | undefined
  readonly upserts: number
  readonly tombstones: number
  /** Checksum of the lines in its files. */
  readonly checksum: string
}

/** A snapshot that is being built, in a temporary folder. */
export class Draft {
  readonly kind: SnapshotKind
  readonly folder: string
  readonly #parts: PartWriter
  /** Writes the records to Parquet, too; undefined if this is not configured. */
  table: TableWriter | undefined
  /** Digests of the lines in its files; for a full snapshot, of all records. */
  readonly digests: DigestWriter
  #upserts = 0
  #tombstones = 0
  #erased = 0

  constructor(root: string, edition: Edition, kind: SnapshotKind, settings: PartSettings) {
    this.kind = kind
    this.folder = join(editionFolder(root, edition), `draft-${kind}`)
    rmSync(this.folder, { recursive: true, force: true })
    mkdirSync(this.folder, { recursive: true })
    this.#parts = new PartWriter(this.folder, settings)
    this.digests = new DigestWriter(join(this.folder, digestsName))
  }

  get lines(): number {
    return this.#upserts + this.#tombstones
  }

  /** Number of tombstones, without those of erased records. */
  get deletions(): number {
    return this.#tombstones - this.#erased
  }

  upsert(id: RecordId, line: string, sha256: string): void {
    this.#parts.add(id, line)
    this.table?.add(id, line, sha256)
    this.#upserts++
  }

  tombstone(id: RecordId, { line, reason }: Tombstone): void {
    this.#parts.add(id, line)
    this.#tombstones++
    if (reason === 'erased') this.#erased++
  }

  /** True if `drain` must be awaited before the next line. */
  get needsDrain(): boolean {
    return this.#parts.needsDrain
  }

  drain(): Promise<void> {
    return this.#parts.drain()
  }

  /** Ends the files and syncs them to disk. */
  async close(): Promise<DraftContents> {
    const files = await this.#parts.close()
    const parquetFiles = this.table?.close()
    const { checksum } = await this.digests.close()
    syncFolder(this.folder)
    return { files, parquetFiles, upserts: this.#upserts, tombstones: this.#tombstones, checksum }
  }

  /** Moves the draft to the folder of its snapshot. The snapshot exists once the folder has a manifest. */
  moveTo(folder: string): void {
    renameSync(this.folder, folder)
  }

  /** Stops writing and deletes the draft. */
  async abandon(): Promise<void> {
    await this.#parts.abandon()
    await this.digests.abandon()
    this.table?.abandon()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
