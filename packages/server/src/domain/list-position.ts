import type { Id } from './id.ts'

/** A position in a list: behind a result, and the number of results up to there when that result was read. */
export interface ListPosition {
  readonly offset: number
  readonly after: Id
}

/** A page of a list, and the position at which the list continues; undefined at its end. */
export interface PageEnd {
  /** Number of results in front of the page. */
  readonly offset: number
  readonly next: ListPosition | undefined
}
