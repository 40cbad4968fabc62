import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, RecordId, SnapshotFile, SnapshotKind } from '../domain/feed.ts'
import { DigestWriter } from './digest-writer.ts'
import { syncFolder } from './durable.ts'
import { digestsName } from './history.ts'
import { type PartSettings, PartWriter } from './part-writer.ts'
import { editionFolder } from './snapshots.ts'

/** What was written of a snapshot. */
export interface Drafted {
  readonly files: readonly SnapshotFile[]
  readonly upserts: number
  readonly tombstones: number
  /** Of the lines in its files. */
  readonly checksum: string
}

/** A snapshot while it is built, in a folder of its own that has no name yet. */
export class Draft {
  readonly kind: SnapshotKind
  readonly folder: string
  readonly #parts: PartWriter
  /** Of the lines in its files; of a full these are the whole set. */
  readonly digests: DigestWriter
  #upserts = 0
  #tombstones = 0

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

  upsert(id: RecordId, line: string): void {
    this.#parts.add(id, line)
    this.#upserts++
  }

  tombstone(id: RecordId, line: string): void {
    this.#parts.add(id, line)
    this.#tombstones++
  }

  get full(): boolean {
    return this.#parts.full
  }

  drain(): Promise<void> {
    return this.#parts.drain()
  }

  /** Everything is on disk when it resolves. */
  async close(): Promise<Drafted> {
    const files = await this.#parts.close()
    const { checksum } = await this.digests.close()
    syncFolder(this.folder)
    return { files, upserts: this.#upserts, tombstones: this.#tombstones, checksum }
  }

  /** Puts the folder where the snapshot of that id lies. Without a manifest it is not there yet. */
  moveTo(folder: string): void {
    renameSync(this.folder, folder)
  }

  async abandon(): Promise<void> {
    await this.#parts.abandon()
    await this.digests.abandon()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
