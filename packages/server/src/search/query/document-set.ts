import type { IdRange } from '../../domain/feed-stores.ts'
import type { SearchDocument } from '../index/document.ts'
import type { HeldParts, IndexOrigin } from '../index/part-files.ts'
import type { CountedDocuments, FindChanges } from '../index/part-plan.ts'

/** Documents of an index. */
export interface DocumentSet extends CountedDocuments {
  /** Returns the documents of a range of ids, ascending by id. */
  read(range: IdRange): AsyncIterable<SearchDocument>
  /** Returns the GEO documents of a range of ids. */
  readGeos(range: IdRange): AsyncIterable<SearchDocument>
  /** State of the store; without it, the next build of several parts builds all of them. */
  readonly origin?: IndexOrigin
  /** Default: all may have changed. */
  readonly findChanges?: FindChanges
}

export interface PrepareOptions {
  /** Change-log sequence number up to which the documents include changes. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Maximum number of documents of a part. */
  readonly partDocuments?: number | undefined
  /** Parts in memory, which are used again if their documents have not changed. */
  readonly held?: HeldParts | undefined
  /** Called after each step, for a log. */
  readonly onStep?: (step: string) => void
}
