import type { Id } from './id.ts'

/** The result of an erasure. */
export interface Erased {
  /** Ids of all affected reviews, including reviews that were erased before. */
  readonly ids: readonly Id[]
  /** Number of reviews that this erasure removed. */
  readonly removed: number
  /** Texts of the removed reviews, to search files for copies. Never logged or stored. */
  readonly texts: readonly string[]
}
