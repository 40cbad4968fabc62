/**
 * The releases that use a database at the same time. The level of a release is the newest schema version that
 * it knows. `oldest` of the schema is the lowest level that can use the database: it rises once no older process is
 * left, and never falls.
 */
export interface Releases {
  /** Returns the lowest level of releases that can use the database, whose forms all processes read. */
  oldest(): Promise<number>
  /** Removes what only older releases need, if none of them is left. */
  contract(): Promise<Contraction>
}

/** The result of an attempt to remove what only older releases need. */
export interface Contraction {
  /** True if nothing is left to remove. */
  readonly isDone: boolean
  /** Names of the older processes that still need it, for operators. */
  readonly older: readonly string[]
}
