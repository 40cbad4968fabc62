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

/** The stores of a data folder that are being moved. */
export interface MovedSource {
  /** Begins to read records as of now; returns a text that differs after every change of records. */
  begin(): string
  /** Returns the number of the newest line of the change log. */
  lastSeq(): number
  /** Number of rows of a table. */
  count(table: MovedTable): number
  read(table: MovedColumns, after: MovedKey): MovedChunk
  /** Waits until nothing else writes records; until `close`, nothing does. */
  lockData(): void
  /** Does the same for control.sqlite. */
  lockControl(): void
  identity(): MovedIdentity
  /** Largest number that a column of control.sqlite has ever had. */
  lastNumber(table: string, column: string): number
  /** Ends the locks; afterwards, both stores refuse all writes, by any process. */
  fence(): void
  close(): void
}

/** A range of the rows of a table: after a key, up to another one. */
export interface MovedRange {
  readonly after: MovedKey
  readonly end: MovedKey
}

/** A database that receives the stores of a data folder. Rows are compared and written as lines of COPY. */
export interface MovedTarget {
  toLine(row: MovedRow): string
  /** Adds the columns that a table has in the database. */
  columnsOf(table: MovedTable): Promise<MovedColumns>
  /** Returns the lines of the rows that the database has. */
  read(table: MovedColumns, range: MovedRange): Promise<string[]>
  /** Adds rows. */
  add(table: MovedColumns, lines: readonly string[]): Promise<void>
  /** Replaces rows. */
  replace(table: MovedColumns, range: MovedRange, lines: readonly string[]): Promise<void>
  /** Removes the rows of tables. */
  empty(tables: readonly MovedTable[]): Promise<void>
  setIdentity(identity: MovedIdentity): Promise<void>
  /** Sets the number that a column continues after. */
  setLastNumber(table: string, column: string, last: number): Promise<void>
  /** Runs `work` in a transaction. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Gives the database its id, from which on nodes use it. Throws StoreError if it has another one. */
  finish(database: string, pepperCheck: string): Promise<void>
  close(): Promise<void>
}

/** The rows of a table, as both sides have them. */
export interface MovedProof {
  readonly table: string
  readonly rows: number
  /** SHA-256 of the rows, their keys included, in the order of the keys; equal on both sides. */
  readonly sha256: string
}
