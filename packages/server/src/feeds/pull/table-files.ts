import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedName, Manifest } from '../../domain/feed.ts'
import { replaceFile, syncFolder } from '../../kit/replace-file.ts'
import { isIntactPart } from './download.ts'
import { workFolder } from './result-state.ts'

/** State of DIR/<feed>.parquet: its snapshot, and the files in it. */
export interface TableState
  extends Pick<Manifest, 'feed' | 'version' | 'snapshot_id' | 'sequence' | 'created_at' | 'checksum_of_result'> {
  readonly records: number
  readonly files: NonNullable<Manifest['parquet_files']>
}

/**
 * The files of the table of one feed in DIR: the folder <feed>.parquet, and <feed>.parquet.state.json. A new table is
 * downloaded to the work folder, then its state is written there (`next.json`, the commit point), then both are renamed.
 * After a kill `recover` completes a committed replacement. A lock on DIR excludes other processes.
 */
export class TableFiles {
  readonly result: string
  readonly #into: string
  readonly #work: string
  readonly #state: string
  readonly #nextState: string

  constructor(into: string, feed: FeedName) {
    this.#into = into
    this.result = join(into, `${feed}.parquet`)
    this.#state = join(into, `${feed}.parquet.state.json`)
    this.#work = join(workFolder(into), `${feed}.parquet`)
    this.#nextState = join(this.#work, 'next.json')
    mkdirSync(this.#work, { recursive: true })
  }

  /** Completes a committed replacement. */
  recover(): void {
    const next = readState(this.#nextState)
    if (next) this.#replace(next)
    else rmSync(this.#nextState, { force: true })
  }

  /** Returns true if the folder has the files of a snapshot, and no others. */
  async has(manifest: Manifest): Promise<boolean> {
    const state = readState(this.#state)
    const { snapshot_id, parquet_files: parts = [] } = manifest
    const isSame = state?.snapshot_id === snapshot_id && JSON.stringify(state.files) === stringifyParts(manifest)
    if (!isSame || !existsSync(this.result) || readdirSync(this.result).length !== parts.length) return false
    for (const part of parts) {
      const file = join(this.result, part.name)
      if (!existsSync(file) || !(await isIntactPart(file, part))) return false
    }
    return true
  }

  /** Returns the path of a part in the work folder, and creates its folder. */
  createPartPath(snapshotId: string, name: string): string {
    return join(this.createFolder(snapshotId), name)
  }

  /** Creates the folder of a snapshot in the work folder, and deletes those of all others. */
  createFolder(snapshotId: string): string {
    for (const name of readdirSync(this.#work))
      if (name !== snapshotId) rmSync(join(this.#work, name), { recursive: true, force: true })
    const folder = join(this.#work, snapshotId)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  /** Replaces the table by the folder of a snapshot, whose files are complete. */
  replaceBy(manifest: Manifest): void {
    const { feed, version, snapshot_id, sequence, created_at, checksum_of_result, records } = manifest
    const members = { feed, version, snapshot_id, sequence, created_at, records, checksum_of_result }
    const files = JSON.parse(stringifyParts(manifest)) as TableState['files']
    const state: TableState = { ...members, files }
    replaceFile(this.#nextState, `${JSON.stringify(state, null, 2)}\n`)
    this.#replace(state)
  }

  #replace({ snapshot_id }: TableState): void {
    const folder = join(this.#work, snapshot_id)
    if (existsSync(folder)) {
      rmSync(this.result, { recursive: true, force: true })
      renameSync(folder, this.result)
    }
    syncFolder(this.#into)
    renameSync(this.#nextState, this.#state)
    syncFolder(this.#into)
  }
}

/** Writes the parts of a manifest as JSON; ids beyond the exact range of a double as text. */
const stringifyParts = ({ parquet_files = [] }: Manifest): string =>
  JSON.stringify(parquet_files, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

function readState(file: string): TableState | undefined {
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as Partial<TableState> | null
    return typeof state?.snapshot_id === 'string' && Array.isArray(state.files) ? (state as TableState) : undefined
  } catch {
    return undefined
  }
}
