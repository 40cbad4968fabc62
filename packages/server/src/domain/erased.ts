import type { Id } from './id.ts'

/** The result of an erasure. */
export interface Erased {
  /** Ids of all reviews concerned, including those that were erased before. */
  readonly ids: readonly Id[]
  /** Number of reviews that were stored until now. */
  readonly removed: number
  /** Their stored texts, to search files for copies. Never logged, never stored. */
  readonly texts: readonly string[]
}
