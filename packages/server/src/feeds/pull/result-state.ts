import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedName, Manifest } from '../../domain/feed.ts'
import { replaceFile, syncFolder } from '../../kit/replace-file.ts'

/** State of DIR/<feed>.ndjson: its snapshot, and values that identify the file. */
export interface ResultState {
  readonly feed: FeedName
  readonly version: string
  readonly snapshot_id: string
  readonly sequence: number
  /** Creation time of the snapshot, RFC 3339. */
  readonly created_at: string
  readonly records: number
  readonly checksum_of_result: string
  /** Size of the NDJSON file. */
  readonly bytes: number
  /** Modification time of the NDJSON file in the file system, in milliseconds since 1970. */
  readonly modified_ms: number
}

/** Returns the work folder of all feeds in a folder. */
export const workFolder = (into: string): string => join(into, '.periplus-pull')

/**
 * The files of one feed in DIR. The result and its state are two files, which no file system replaces in one step, so a
 * journal makes the replacement atomic: the new result is written to the work folder and synced, then its state
 * (`next.json`, the commit point), then both are renamed. After a kill before the commit point the old pair is in
 * place; after a later one `recover` completes the renames. A lock on DIR excludes other processes.
 */
export class ResultFiles {
  readonly result: string
  readonly work: string
  /** File of the new result. */
  readonly next: string
  readonly #state: string
  readonly #nextState: string
  readonly #into: string

  constructor(into: string, feed: FeedName) {
    this.#into = into
    this.result = join(into, `${feed}.ndjson`)
    this.#state = join(into, `${feed}.state.json`)
    this.work = join(workFolder(into), feed)
    this.next = join(this.work, 'next.ndjson')
    this.#nextState = join(this.work, 'next.json')
    mkdirSync(this.work, { recursive: true })
  }

  /** Completes a committed replacement and deletes an uncommitted one. */
  recover(): void {
    if (existsSync(this.#nextState)) this.#replace()
    else rmSync(this.next, { force: true })
  }

  /** Reads the state. `damaged`: it cannot be parsed, or its result file is missing or has another size. */
  read(): ResultState | 'missing' | 'damaged' {
    if (!existsSync(this.#state)) return 'missing'
    const state = parseState(readFileSync(this.#state, 'utf8'))
    const file = statSync(this.result, { throwIfNoEntry: false })
    return state && file?.size === state.bytes ? state : 'damaged'
  }

  /** Returns true if the result file was modified after the state was written. */
  isModified(state: ResultState): boolean {
    return modifiedMs(this.result) !== state.modified_ms
  }

  /** Replaces the result by the file `next`, which must be synced, and writes the new state. */
  replaceBy(manifest: Manifest): ResultState {
    const state: ResultState = {
      feed: manifest.feed,
      version: manifest.version,
      snapshot_id: manifest.snapshot_id,
      sequence: manifest.sequence,
      created_at: manifest.created_at,
      records: manifest.records_of_result,
      checksum_of_result: manifest.checksum_of_result,
      bytes: statSync(this.next).size,
      modified_ms: modifiedMs(this.next),
    }
    replaceFile(this.#nextState, `${JSON.stringify(state, null, 2)}\n`)
    this.#replace()
    return state
  }

  /** Stores the current modification time of an intact result file in its state. */
  updateModifiedTime(state: ResultState): void {
    replaceFile(this.#state, `${JSON.stringify({ ...state, modified_ms: modifiedMs(this.result) }, null, 2)}\n`)
  }

  /** Returns the path of a part in the work folder, and creates its folder. */
  createPartPath(snapshotId: string, name: string): string {
    mkdirSync(join(this.work, snapshotId), { recursive: true })
    return join(this.work, snapshotId, name)
  }

  /** Deletes the downloads of all other snapshots. */
  keepDownloads(snapshotIds: readonly string[]): void {
    for (const name of readdirSync(this.work))
      if (!snapshotIds.includes(name)) rmSync(join(this.work, name), { recursive: true, force: true })
  }

  #replace(): void {
    if (existsSync(this.next)) renameSync(this.next, this.result)
    // Replace the result first: after a power failure, a new state with an old result could not be repaired.
    syncFolder(this.#into)
    renameSync(this.#nextState, this.#state)
    syncFolder(this.#into)
  }
}

const modifiedMs = (file: string): number => Math.floor(statSync(file).mtimeMs)

function parseState(text: string): ResultState | undefined {
  try {
    const state = JSON.parse(text) as Partial<ResultState> | null
    const isState =
      typeof state?.snapshot_id === 'string' &&
      Number.isSafeInteger(state.sequence) &&
      typeof state.checksum_of_result === 'string'
    return isState ? (state as ResultState) : undefined
  } catch {
    return undefined
  }
}
