/**
 * The database of the control data, which all stores of this folder use. Their statements are in the common subset of
 * SQLite and PostgreSQL: parameters are named (`@name`), columns with JSON are texts, and flags are read by `Boolean`.
 */

/** A value of a parameter or column. PostgreSQL has booleans where SQLite has 0 and 1. */
export type SqlValue = string | number | bigint | Buffer | null

/** The values of parameters by name. A statement ignores those that it does not name. */
export type SqlParams = Readonly<Record<string, SqlValue>>

/** A statement, and its result: the first row, all rows, or the number of changed rows. */
export interface SqlStatement {
  readonly text: string
  readonly params: SqlParams
  readonly result: 'row' | 'rows' | 'changes'
}

/**
 * Work on the database in steps: it yields statements, and gets their results. SQLite runs all steps in one turn of the
 * event loop, so that nothing else uses the connection during a transaction; PostgreSQL awaits each step. An error of a
 * statement ends the work, which does not see it.
 */
export type SqlWork<T> = Generator<SqlStatement, T, unknown>

/** Reads the first row of a statement. */
export function* get<R>(text: string, params: SqlParams = {}): SqlWork<R | undefined> {
  return (yield { text, params, result: 'row' }) as R | undefined
}

/** Reads all rows of a statement. */
export function* all<R>(text: string, params: SqlParams = {}): SqlWork<R[]> {
  return (yield { text, params, result: 'rows' }) as R[]
}

/** Runs a statement and returns the number of changed rows. */
export function* run(text: string, params: SqlParams = {}): SqlWork<number> {
  return (yield { text, params, result: 'changes' }) as number
}

/** Parses JSON of a column; throws StoreFailure if it is damaged. */
export interface JsonColumns {
  parseJson<T>(text: string): T
}

/** The part of the database that each engine implements. */
export interface SqlEngine extends JsonColumns {
  /** Runs work outside of a transaction. */
  perform<T>(work: SqlWork<T>): Promise<T>
  /**
   * Runs work in a transaction, which an exception rolls back. Transactions of all processes run one at a time, so that
   * what one has read remains true until it ends. A commit is on disk when the promise resolves.
   */
  transaction<T>(work: () => SqlWork<T>): Promise<T>
}

export interface SqlDatabase extends SqlEngine {
  /** Runs one statement outside of a transaction, as do `all` and `run`. */
  get<R>(text: string, params?: SqlParams): Promise<R | undefined>
  all<R>(text: string, params?: SqlParams): Promise<R[]>
  run(text: string, params?: SqlParams): Promise<number>
}

/** Opens the database of an engine. */
export const createDatabase = (engine: SqlEngine): SqlDatabase => ({
  ...engine,
  get: <R>(text: string, params?: SqlParams) => engine.perform(get<R>(text, params)),
  all: <R>(text: string, params?: SqlParams) => engine.perform(all<R>(text, params)),
  run: (text, params) => engine.perform(run(text, params)),
})
