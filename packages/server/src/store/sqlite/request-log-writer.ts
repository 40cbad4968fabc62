import { rmSync } from 'node:fs'
import type { RefusalHour } from '../../domain/refusal-hours.ts'
import type { LoggedFile, LoggedPart, RequestLogBounds, RequestLogWriter } from '../../domain/request-log.ts'
import { StoreFailure } from '../../domain/store-errors.ts'
import { connect, type Sqlite } from '../connection.ts'
import {
  type ReplaceableOptions,
  readInode,
  removeCompanions,
  renameDamaged,
  unlessDamaged,
} from './replaceable-file.ts'
import { CallInserts } from './request-log-calls.ts'
import { createCallNumbers } from './request-log-numbers.ts'
import { createRequestLogPruning } from './request-log-pruning.ts'
import { prepareRequestLog } from './request-log-schema.ts'

/** Opens the request log for writing. A file that is deleted, damaged or of another release is created again, empty. */
export function openSqliteRequestLogWriter(
  file: string,
  { onFailure, onReplaced }: ReplaceableOptions,
): RequestLogWriter {
  // Damage ends with the replacement, so it is not counted.
  const countOther = (failure: StoreFailure) => failure.kind === 'damaged' || onFailure?.(failure)
  let tables: Tables | undefined
  const close = () => {
    tables?.db.close()
    tables = undefined
  }
  const open = (): Tables => {
    // SQLite removes the companions of a closed file by their names: close a deleted file before it is created again.
    if (tables && tables.inode !== readInode(file)) close()
    if (readInode(file) === undefined) removeCompanions(file)
    tables ??= openTables(file, countOther)
    return tables
  }
  const attempt = <T>(work: (open: Tables) => T): T => {
    try {
      return work(open())
    } catch (error) {
      // A transaction that failed may have assigned numbers that the statements remember.
      close()
      throw error
    }
  }
  const run = <T>(work: (open: Tables) => T): T =>
    unlessDamaged(
      () => attempt(work),
      () => {
        renameDamaged(file, onReplaced)
        return attempt(work)
      },
    )
  return {
    files: async () => new Map(run(({ files }) => files()).map(known => [known.file, known])),
    add: async part => run(({ add }) => add(part)),
    addRefusals: async rows => run(({ addRefusals }) => addRefusals(rows)),
    prune: async bounds => run(({ prune }) => prune(bounds)),
    close: async () => close(),
  }
}

/** The open file with its prepared statements. */
interface Tables {
  readonly db: Sqlite
  readonly inode: bigint | undefined
  files(): LoggedFile[]
  add(part: LoggedPart): void
  addRefusals(rows: readonly RefusalHour[]): void
  prune(bounds: RequestLogBounds): boolean
}

function openTables(file: string, onFailure: (failure: StoreFailure) => void): Tables {
  const db = openPrepared(file, onFailure) ?? openEmpty(file, onFailure)
  try {
    const add = createCallInserts(db)
    return { db, inode: readInode(file), ...add, prune: createRequestLogPruning(db) }
  } catch (error) {
    db.close()
    throw error
  }
}

/** Opens the file for writing; undefined if another release made its tables. */
function openPrepared(file: string, onFailure: (failure: StoreFailure) => void): Sqlite | undefined {
  const db = connect(file, { timeout: 30_000, onFailure })
  try {
    db.pragma('synchronous = NORMAL')
    if (prepareRequestLog(db)) return db
  } catch (error) {
    db.close()
    throw error
  }
  db.close()
  return undefined
}

/** Replaces the file by an empty one. The old one is not kept: it can be large, and the journal fills the new one. */
function openEmpty(file: string, onFailure: (failure: StoreFailure) => void): Sqlite {
  rmSync(file, { force: true })
  removeCompanions(file)
  const db = openPrepared(file, onFailure)
  if (!db) throw new StoreFailure('damaged', file)
  return db
}

function createCallInserts(db: Sqlite): Pick<Tables, 'files' | 'add' | 'addRefusals'> {
  const numbers = createCallNumbers(db)
  const inserts = new CallInserts(db, numbers)
  const setFile = db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?)')
  const setCounted = db.prepare('UPDATE state SET counted_to_ms = ?')
  const addRefusal = db.prepare(
    `INSERT INTO refusals VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET calls = calls + excluded.calls, last_ms = max(last_ms, excluded.last_ms)`,
  )
  const listFiles = db.prepare<[], { file: number; bytes: number; complete: number }>('SELECT * FROM files')
  return {
    files: () => listFiles.all().map(row => ({ ...row, complete: row.complete === 1 })),
    add: db.transaction(({ calls, files, countedToMs }: LoggedPart) => {
      inserts.add(calls)
      for (const { file, bytes, complete } of files) setFile.run(file, bytes, Number(complete))
      if (countedToMs !== undefined) setCounted.run(countedToMs)
    }).immediate,
    addRefusals: db.transaction((rows: readonly RefusalHour[]) => {
      for (const { keyId, partnerId, hourMs, code, version, calls, lastMs } of rows)
        addRefusal.run(numbers.ofKey({ keyId, partnerId }), hourMs, code, version, calls, lastMs)
    }).immediate,
  }
}
