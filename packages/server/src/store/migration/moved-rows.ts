import type { MovedTable } from './tables.ts'

/** A row as texts of its columns, as PostgreSQL writes them. */
export type MovedRow = readonly (string | null)[]

/** Values of the key of a row; undefined before the first row and after the last one. */
export type MovedKey = readonly unknown[] | undefined

/** Consecutive rows of a table, in the order of its key. */
export interface MovedChunk {
  readonly rows: readonly MovedRow[]
  /** Key of the last row; undefined if no row follows. */
  readonly end: MovedKey
}

/** A table and its columns in the order in which rows have them. */
export interface MovedColumns extends MovedTable {
  readonly all: readonly string[]
}

/** The identity of a store for feeds and decisions. */
export interface MovedIdentity {
  readonly storeId: string
  /** Number of changes to ids and decisions. */
  readonly revision: number
}

/** A result, or the promise of one: SQLite answers at once, PostgreSQL does not. */
type Soon<T> = T | Promise<T>

/** The stores that are being moved: those of a data folder, or a database. */
export interface MovedSource {
  /** Begins to read records as of now; returns a text that differs after every change of records. */
  begin(): Soon<string>
  /** Returns the number of the newest line of the change log. */
  lastSeq(): Soon<number>
  /** Number of rows of a table. */
  count(table: MovedTable): Soon<number>
  read(table: MovedColumns, after: MovedKey): Soon<MovedChunk>
  /** Waits until nothing else writes records; until `close`, nothing does. */
  lockData(): Soon<void>
  /** Does the same for all other tables. */
  lockControl(): Soon<void>
  identity(): Soon<MovedIdentity>
  /** Largest number that a column has ever had. */
  lastNumber(table: string, column: string): Soon<number>
  /** Ends the locks; afterwards, the stores refuse all writes, by any process. */
  fence(): Soon<void>
  close(): Soon<void>
}

/** A range of the rows of a table: after a key, up to another one. */
export interface MovedRange {
  readonly after: MovedKey
  readonly end: MovedKey
}

/** The stores that receive the contents of others. */
export interface MovedTarget {
  /** Returns the rows that the target has. */
  read(table: MovedColumns, range: MovedRange): Soon<readonly MovedRow[]>
  /** Adds rows. */
  add(table: MovedColumns, rows: readonly MovedRow[]): Soon<void>
  /** Replaces rows. */
  replace(table: MovedColumns, range: MovedRange, rows: readonly MovedRow[]): Soon<void>
  /** Removes the rows of tables. */
  empty(tables: readonly MovedTable[]): Soon<void>
  setIdentity(identity: MovedIdentity): Soon<void>
  /** Sets the number that a column continues after. */
  setLastNumber(table: string, column: string, last: number): Soon<void>
  /** Runs `work` in a transaction. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  close(): Soon<void>
}

/** A database that receives the stores of a data folder. */
export interface MovedDatabase extends MovedTarget {
  /** Adds the columns that a table has in the database. */
  columnsOf(table: MovedTable): Promise<MovedColumns>
  /** Gives the database its id, from which on nodes use it. Throws StoreError if it has another one. */
  finish(database: string, pepperCheck: string): Promise<void>
}

/** The rows of a table, as both sides have them. */
export interface MovedProof {
  readonly table: string
  readonly rows: number
  /** SHA-256 of the rows, their keys included, in the order of the keys; equal on both sides. */
  readonly sha256: string
}
