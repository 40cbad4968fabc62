import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FeedName, Manifest } from '../../domain/feed.ts'

/** What DIR/<feed>.ndjson holds: the snapshot that it is the result of, and what it can be told by. */
export interface ResultState {
  readonly feed: FeedName
  readonly version: string
  readonly snapshot_id: string
  readonly sequence: number
  /** When the snapshot was made, RFC 3339. */
  readonly created_at: string
  readonly records: number
  readonly checksum_of_result: string
  /** Of the NDJSON file. */
  readonly bytes: number
  /** When the NDJSON file was last written, as the file system has it, in milliseconds since 1970. */
  readonly modified_ms: number
}

/** The work folder of all feeds in a folder. */
export const workFolder = (into: string): string => join(into, '.periplus-pull')

/**
 * The files of one feed in DIR. The result and its state are two files, which no file system replaces in one step, so
 * they are replaced through a journal: the new result is written aside and synced, then its state is (`next.json`,
 * which is what decides), then both are renamed. Killed before that, the old pair is in place; killed after, `recover`
 * finishes the renames. The lock on DIR makes sure that nobody else is at it.
 */
export class ResultFiles {
  readonly result: string
  readonly work: string
  /** Where the new result is written. */
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

  /** Finishes a replacement that was decided, and drops one that was not. */
  recover(): void {
    if (existsSync(this.#nextState)) this.#replace()
    else rmSync(this.next, { force: true })
  }

  /** The state, where it can be read and its file is there and as long as it says. */
  read(): ResultState | 'none' | 'damaged' {
    if (!existsSync(this.#state)) return 'none'
    const state = stateIn(readFileSync(this.#state, 'utf8'))
    const file = statSync(this.result, { throwIfNoEntry: false })
    return state && file?.size === state.bytes ? state : 'damaged'
  }

  /** Whether somebody has written the file since. */
  isTouched(state: ResultState): boolean {
    return modifiedMs(this.result) !== state.modified_ms
  }

  /** Makes the file `next`, synced already, the result of a snapshot. */
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
    writeWhole(this.#nextState, `${JSON.stringify(state, null, 2)}\n`)
    syncFolder(this.work)
    this.#replace()
    return state
  }

  /** The file is as it was, though its time is another: says so in the state. */
  touched(state: ResultState): void {
    writeWhole(this.#state, `${JSON.stringify({ ...state, modified_ms: modifiedMs(this.result) }, null, 2)}\n`)
  }

  /** Where a part of a snapshot is kept until it is used. */
  partOf(snapshotId: string, name: string): string {
    mkdirSync(join(this.work, snapshotId), { recursive: true })
    return join(this.work, snapshotId, name)
  }

  /** Removes what was downloaded of other snapshots than these. */
  keepWorkOf(snapshotIds: readonly string[]): void {
    for (const name of readdirSync(this.work))
      if (!snapshotIds.includes(name)) rmSync(join(this.work, name), { recursive: true, force: true })
  }

  #replace(): void {
    if (existsSync(this.next)) renameSync(this.next, this.result)
    // The result first: a state that is in place while its result is not would not be mended after a loss of power.
    syncFolder(this.#into)
    renameSync(this.#nextState, this.#state)
    syncFolder(this.#into)
  }
}

const modifiedMs = (file: string): number => Math.floor(statSync(file).mtimeMs)

function stateIn(text: string): ResultState | undefined {
  try {
    const state = JSON.parse(text) as Partial<ResultState> | null
    const whole = typeof state?.snapshot_id === 'string' && Number.isSafeInteger(state.sequence)
    return whole && typeof state.checksum_of_result === 'string' ? (state as ResultState) : undefined
  } catch {
    return undefined
  }
}

/** A small file that is there whole or not at all. */
export function writeWhole(path: string, text: string): void {
  const aside = `${path}.new`
  const file = openSync(aside, 'w')
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(aside, path)
}

/** Makes renames in a folder last. Windows has no such call, and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
