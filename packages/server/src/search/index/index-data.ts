import type { LexiconData } from './lexicon.ts'
import type { SegmentData } from './segment.ts'

/** Metadata of an index. */
export interface IndexFacts {
  /** Number of documents in all parts. */
  readonly count: number
  /** Change-log sequence number up to which the index includes the changes of the store. */
  readonly revision: number
  /** Time of the build, in milliseconds since 1970. */
  readonly builtMs: number
}

/**
 * Plain data of an index: its parts, which are ranges of ids, ascending. Posting it to a worker shares the
 * memory of the arrays.
 */
export interface IndexData {
  readonly facts: IndexFacts
  readonly parts: readonly SegmentData[]
  /** Terms of all parts and their statistics; undefined for a single part, whose own are the same. */
  readonly lexicon?: LexiconData
  /** Names of the files of the documents of the parts, if they were loaded from several. */
  readonly partNames?: readonly string[]
}

/** Returns an index of one part. */
export const singlePart = (part: SegmentData): IndexData => {
  const { count, revision, builtMs } = part.facts
  return { facts: { count, revision, builtMs }, parts: [part] }
}
