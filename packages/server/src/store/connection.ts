import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { StoreFailure, type StoreFailureKind } from '../domain/store-errors.ts'
import { findOpenProblem, hasFreeSpace, temporaryFolder } from './disk.ts'

/** A connection to a SQLite file whose errors about the file or its disk are StoreFailure. */
export interface Sqlite extends Database.Database {
  /** Parses JSON that the file contains; throws StoreFailure if it is damaged. */
  parseJson<T>(text: string): T
}

/** A prepared statement of a connection. */
export type PreparedStatement<Params extends unknown[] = unknown[], Row = unknown> = Database.Statement<Params, Row>

export interface ConnectionOptions extends Database.Options {
  /** Called with each failure before it is thrown. */
  readonly onFailure?: ((failure: StoreFailure) => void) | undefined
}

/**
 * Opens a connection to a SQLite file, to a database in memory, or to a temporary database if `file` is empty. The
 * connection converts the errors of the driver, so that no other code knows them.
 */
export function connect(file: string | Buffer, { onFailure, ...options }: ConnectionOptions = {}): Sqlite {
  const path = typeof file === 'string' && file !== '' ? file : temporaryFolder()
  const report = (failure: StoreFailure): StoreFailure => {
    onFailure?.(failure)
    return failure
  }
  const fail = (error: unknown, at = path): unknown => {
    const failure = toStoreFailure(error, at)
    return failure ? report(failure) : error
  }
  const guard = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw fail(error)
    }
  }
  const db = guard(() => new Database(file, options))
  const { prepare, exec, pragma, serialize, backup, transaction } = db
  return Object.assign(db, {
    prepare: (sql: string) => guardStatement(guard(() => prepare.call(db, sql)) as PreparedStatement, guard),
    exec: (sql: string) => guard(() => exec.call(db, sql)),
    pragma: (sql: string, how?: Database.PragmaOptions) => guard(() => pragma.call(db, sql, how)),
    serialize: () => guard(() => serialize.call(db)),
    backup: (to: string, how?: Database.BackupOptions) =>
      backup.call(db, to, how).catch((error: unknown) => {
        throw fail(error, isDamage(error) ? path : to)
      }),
    transaction: (work: Call) => guardTransaction(transaction.call(db, work), guard),
    parseJson: (text: string) => {
      try {
        return JSON.parse(text)
      } catch (error) {
        throw report(new StoreFailure('damaged', path, { cause: error }))
      }
    },
  }) as Sqlite
}

/** Runs `work`; if it throws, closes the connections that it has passed to `own`. */
export function closeOnError<T>(work: (own: (db: Sqlite) => Sqlite) => T): T {
  using opened = new DisposableStack()
  const result = work(db => opened.adopt(db, () => db.close()))
  opened.move()
  return result
}

type Guard = <T>(work: () => T) => T
type Call = (...args: never[]) => unknown

function guardStatement(statement: PreparedStatement, guard: Guard): PreparedStatement {
  const { get, all, run, iterate } = statement
  return Object.assign(statement, {
    get: (...params: unknown[]) => guard(() => get.apply(statement, params)),
    all: (...params: unknown[]) => guard(() => all.apply(statement, params)),
    run: (...params: unknown[]) => guard(() => run.apply(statement, params)),
    iterate: (...params: unknown[]) => guardRows(() => iterate.apply(statement, params), guard),
  })
}

function* guardRows(open: () => IterableIterator<unknown>, guard: Guard): Generator<unknown> {
  const rows = guard(open)
  try {
    for (let row = guard(() => rows.next()); !row.done; row = guard(() => rows.next())) yield row.value
  } finally {
    rows.return?.()
  }
}

function guardTransaction(inner: Database.Transaction<Call>, guard: Guard): Call {
  const guarded =
    (call: Call) =>
    (...args: never[]) =>
      guard(() => call(...args))
  const { deferred, immediate, exclusive } = inner
  return Object.assign(guarded(inner), {
    default: guarded(inner),
    deferred: guarded(deferred),
    immediate: guarded(immediate),
    exclusive: guarded(exclusive),
  })
}

const isDamage = (error: unknown): boolean => error instanceof Database.SqliteError && kindOf(error.code) === 'damaged'

/** Returns the failure that an error of the driver reports; undefined for any other error. */
function toStoreFailure(error: unknown, file: string): StoreFailure | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined
  const kind = kindOf(error.code) ?? findKind(error.code, file)
  if (kind === undefined) return undefined
  // A statement may also fill the disk of its temporary files.
  const isTemporary = kind === 'disk_full' && hasFreeSpace(dirname(file)) && !hasFreeSpace(temporaryFolder())
  return new StoreFailure(kind, isTemporary ? temporaryFolder() : file, { cause: error })
}

/** Kinds of failure by result code of SQLite, for codes with a single cause. A code includes its extended codes. */
const kinds: Readonly<Record<string, StoreFailureKind>> = {
  SQLITE_FULL: 'disk_full',
  SQLITE_PERM: 'read_only',
  SQLITE_READONLY_DBMOVED: 'missing',
  SQLITE_READONLY: 'read_only',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
  SQLITE_BUSY: 'busy',
}

const kindOf = (code: string): StoreFailureKind | undefined => kinds[code] ?? kinds[code.split('_', 2).join('_')]

/** Returns the cause of a code with several causes. The driver does not report the error of the system. */
function findKind(code: string, file: string): StoreFailureKind | undefined {
  if (!/^SQLITE_(CANTOPEN|IOERR|PROTOCOL|NOLFS)/.test(code)) return undefined
  const problem = findOpenProblem(file)
  if (problem !== undefined) return problem
  return hasFreeSpace(dirname(file)) ? 'io' : 'disk_full'
}
