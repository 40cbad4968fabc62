import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { StoreFailure } from '../../domain/store-errors.ts'
import type { CopyProgress, StoreCopy } from '../../domain/stores.ts'
import type { Sqlite } from '../connection.ts'
import { closeOnError, connect } from '../connection.ts'
import type { SqliteFiles } from './files.ts'

/** Share of the time in which a copy pauses. */
const idleShare = 0.5
/** Pages copied in one step. */
const stepPages = 256
/** Size of the write-ahead log from which a copy no longer pauses, in bytes: an open copy prevents its truncation. */
const maxLogBytes = 2 ** 31

/**
 * Opens a read transaction on each store. While it opens them, it holds the write lock of data.sqlite: an erasure,
 * which writes to both, is entirely before or after it, and the ids of all copied rows are assigned already
 * (writer.ts).
 */
export function openSqliteStoreCopy(files: SqliteFiles, root: string): StoreCopy {
  return closeOnError(own => {
    const open = (file: string) => own(connect(file, { timeout: 30_000, fileMustExist: true }))
    const [data, control, writer] = [open(files.data), open(files.control), open(files.data)]
    writer.exec('BEGIN IMMEDIATE')
    data.exec('BEGIN')
    const revision = data.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM changes').pluck().get()!
    control.exec('BEGIN')
    control.prepare('SELECT count(*) FROM usage_position').get()
    writer.close()
    return {
      revision,
      bytes: storeBytes(data) + storeBytes(control),
      writeTo: async (folder, progress) => {
        for (const store of [data, control]) await copyInto(store, folder, root, progress)
        if (existsSync(files.downloads)) await copyDownloads(files.downloads, folder, root, progress)
      },
      close: async () => {
        data.close()
        control.close()
      },
    }
  })
}

/**
 * Copies the downloads, which need not be consistent with the other stores; omits a damaged file, as the service
 * replaces it.
 */
async function copyDownloads(file: string, folder: string, root: string, progress: CopyProgress): Promise<void> {
  try {
    const db = connect(file, { timeout: 30_000, fileMustExist: true })
    try {
      db.exec('BEGIN')
      db.prepare('SELECT count(*) FROM sqlite_schema').get()
      await copyInto(db, folder, root, progress)
    } finally {
      db.close()
    }
  } catch (error) {
    if (!(error instanceof StoreFailure && error.kind === 'damaged')) throw error
    rmSync(join(folder, relative(root, file)), { force: true })
  }
}

async function copyInto(store: Sqlite, folder: string, root: string, progress: CopyProgress): Promise<void> {
  const to = join(folder, relative(root, store.name))
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  const totalBytes = storeBytes(store)
  await copyPages(store, to, doneBytes => progress(basename(to), doneBytes, totalBytes))
}

/**
 * Copies a store into a new file, page by page, in the open read transaction of its connection: writers continue, and
 * the copy is consistent. Pauses between steps.
 */
async function copyPages(from: Sqlite, to: string, progress: (bytes: number) => void): Promise<void> {
  const pageBytes = from.pragma('page_size', { simple: true }) as number
  let stepStart = performance.now()
  await from.backup(to, {
    progress: ({ totalPages, remainingPages }) => {
      progress((totalPages - remainingPages) * pageBytes)
      const busyMs = performance.now() - stepStart
      if (logBytes(from.name) < maxLogBytes) sleep((busyMs * idleShare) / (1 - idleShare))
      stepStart = performance.now()
      return stepPages
    },
  })
  const file = openSync(to, 'r+')
  fsyncSync(file)
  closeSync(file)
}

const logBytes = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0

const sleepCell = new Int32Array(new SharedArrayBuffer(4))
const sleep = (ms: number): void => void Atomics.wait(sleepCell, 0, 0, ms)

/** Returns the size of a store file without its log, in bytes. */
const storeBytes = (db: Sqlite): number =>
  (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number)
