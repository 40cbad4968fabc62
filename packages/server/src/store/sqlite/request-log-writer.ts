import type {
  LoggedFile,
  LoggedPart,
  RefusalHour,
  RequestLogBounds,
  RequestLogWriter,
} from '../../domain/request-log.ts'
import { type ReplacedFile, StoreFailure } from '../../domain/store-errors.ts'
import type { UsageRecord } from '../../domain/usage.ts'
import { type ConnectionOptions, connect, type Sqlite } from '../connection.ts'
import { readInode, removeCompanions, renameDamaged, unlessDamaged } from './replaceable-file.ts'
import { CallInserts } from './request-log-calls.ts'
import { createRequestLogPruning } from './request-log-pruning.ts'
import { prepareRequestLog } from './request-log-schema.ts'

export interface RequestLogOptions extends Pick<ConnectionOptions, 'onFailure'> {
  /** Called after a damaged file was replaced. */
  readonly onReplaced: (replaced: ReplacedFile) => void
}

/** Opens the request log for writing. A file that is deleted, damaged or of another release is created again, empty. */
export function openSqliteRequestLogWriter(
  file: string,
  { onFailure, onReplaced }: RequestLogOptions,
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
  const db = connect(file, { timeout: 30_000, onFailure })
  try {
    db.pragma('synchronous = NORMAL')
    if (!prepareRequestLog(db)) throw new StoreFailure('damaged', file)
    const add = createCallInserts(db)
    return { db, inode: readInode(file), ...add, prune: createRequestLogPruning(db) }
  } catch (error) {
    db.close()
    throw error
  }
}

function createCallInserts(db: Sqlite): Pick<Tables, 'files' | 'add' | 'addRefusals'> {
  const keyNo = createKeyNumbers(db)
  const operationNo = createOperationNumbers(db)
  const inserts = new CallInserts(db)
  const setFile = db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?)')
  const setCounted = db.prepare('UPDATE state SET counted_to_ms = ?')
  const setLast = db.prepare('UPDATE keys SET last_ms = ? WHERE no = ? AND last_ms < ?')
  const addRefusal = db.prepare(
    `INSERT INTO refusals VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET calls = calls + excluded.calls, last_ms = max(last_ms, excluded.last_ms)`,
  )
  const listFiles = db.prepare<[], { file: number; bytes: number; complete: number }>('SELECT * FROM files')
  const insertAll = (records: readonly UsageRecord[]) => {
    // Rows of one key are neighbours in the table.
    for (const [key, group] of groupByKey(records, keyNo)) {
      for (const record of group) inserts.add(key, operationNo(record.operation), record)
      const lastMs = group.reduce((last, { timeMs }) => Math.max(last, timeMs), 0)
      setLast.run(lastMs, key, lastMs)
    }
    inserts.flush()
  }
  return {
    files: () => listFiles.all().map(row => ({ ...row, complete: row.complete === 1 })),
    add: db.transaction(({ records, files, countedToMs }: LoggedPart) => {
      insertAll(records)
      for (const { file, bytes, complete } of files) setFile.run(file, bytes, Number(complete))
      if (countedToMs !== undefined) setCounted.run(countedToMs)
    }).immediate,
    addRefusals: db.transaction((rows: readonly RefusalHour[]) => {
      for (const { keyId, partnerId, hourMs, code, version, calls, lastMs } of rows)
        addRefusal.run(keyNo({ keyId, partnerId }), hourMs, code, version, calls, lastMs)
    }).immediate,
  }
}

/** Groups records by the number of their key, in the order of the table. */
function groupByKey(
  records: readonly UsageRecord[],
  keyNo: (record: UsageRecord) => number,
): readonly (readonly [key: number, records: readonly UsageRecord[]])[] {
  const groups = new Map<number, UsageRecord[]>()
  for (const record of records) {
    const key = keyNo(record)
    const group = groups.get(key)
    if (group) group.push(record)
    else groups.set(key, [record])
  }
  return [...groups].sort(([a], [b]) => a - b)
}

/** Returns a function that finds or assigns the number of a key. */
function createKeyNumbers(db: Sqlite) {
  const find = db.prepare<[string], number>('SELECT no FROM keys WHERE id = ?').pluck()
  const add = db.prepare('INSERT INTO keys (id, partner, last_ms) VALUES (?, ?, 0)')
  const known = new Map<string, number>()
  return ({ keyId, partnerId }: { readonly keyId: string; readonly partnerId: string }): number => {
    let no = known.get(keyId)
    if (no === undefined) {
      no = find.get(keyId) ?? Number(add.run(keyId, partnerId).lastInsertRowid)
      known.set(keyId, no)
    }
    return no
  }
}

/** Returns a function that finds or assigns the number of an operation. */
function createOperationNumbers(db: Sqlite) {
  const find = db.prepare<[string], number>('SELECT no FROM operations WHERE name = ?').pluck()
  const add = db.prepare('INSERT INTO operations (name) VALUES (?)')
  const known = new Map<string, number>()
  return (name: string): number => {
    let no = known.get(name)
    if (no === undefined) {
      no = find.get(name) ?? Number(add.run(name).lastInsertRowid)
      known.set(name, no)
    }
    return no
  }
}
