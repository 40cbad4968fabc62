import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Sqlite } from './open.ts'

/** Both stores as they were at one moment, while others go on writing. */
export interface Snapshot {
  readonly data: Sqlite
  readonly control: Sqlite
  /** The change log's newest sequence number in it. */
  readonly revision: number
  close(): void
}

/**
 * Opens a read transaction on each store. Meanwhile the write lock of data.sqlite is held: an erasure, which writes to
 * both, lies wholly before or after it, and the ids of all rows that are seen have been given before (writer.ts).
 */
export function snapshotOf(files: { readonly data: string; readonly control: string }): Snapshot {
  const open = (file: string) => new Database(file, { timeout: 30_000, fileMustExist: true })
  const [writer, data, control] = [open(files.data), open(files.data), open(files.control)]
  writer.exec('BEGIN IMMEDIATE')
  try {
    data.exec('BEGIN')
    const revision = data.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM changes').pluck().get()!
    control.exec('BEGIN')
    control.prepare('SELECT count(*) FROM usage_position').get()
    return {
      data,
      control,
      revision,
      close: () => {
        data.close()
        control.close()
      },
    }
  } finally {
    writer.exec('ROLLBACK')
    writer.close()
  }
}

/** Pages that are copied at once. */
const stepPages = 256
/** While the log has grown to this, copying does not make way for others any more, bytes. */
const mostLog = 2 ** 31

export interface CopyPace {
  /** Bytes copied so far. */
  progress(bytes: number): void
  /** The share of the time that is left to others, from 0 to below 1. */
  readonly idleShare: number
}

/**
 * Copies what a connection sees into a new file, page by page, in the read transaction that it has open: writers go on,
 * and the copy is of one moment. Makes way for others between steps.
 */
export async function copyStore(from: Sqlite, to: string, pace: CopyPace): Promise<void> {
  const pageBytes = from.pragma('page_size', { simple: true }) as number
  let began = performance.now()
  await from.backup(to, {
    progress: ({ totalPages, remainingPages }) => {
      pace.progress((totalPages - remainingPages) * pageBytes)
      const busyMs = performance.now() - began
      if (logBytes(from.name) < mostLog) sleep((busyMs * pace.idleShare) / (1 - pace.idleShare))
      began = performance.now()
      return stepPages
    },
  })
  const file = openSync(to, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** Copies a store that nothing else has to agree with. */
export async function copyAnyStore(from: string, to: string, pace: CopyPace): Promise<void> {
  const db = new Database(from, { timeout: 30_000, fileMustExist: true })
  try {
    db.exec('BEGIN')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    await copyStore(db, to, pace)
  } finally {
    db.close()
  }
}

const logBytes = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0

const never = new Int32Array(new SharedArrayBuffer(4))
const sleep = (ms: number): void => void Atomics.wait(never, 0, 0, ms)

/** Bytes of a store file, its log not counted. */
export const storeBytes = (db: Sqlite): number =>
  (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number)
