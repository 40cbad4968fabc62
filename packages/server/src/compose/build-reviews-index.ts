import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Engine } from '../domain/stores.ts'
import { isConceptWord } from '../search/recommend/concepts.ts'
import { ReviewsWriter } from '../search/reviews/writer.ts'
import { withFeedSource } from './feed-folder.ts'

/** Options of a build of the index of reviews. */
export interface ReviewsBuildOptions {
  /** Number of reviews below which no index is built: the newest reviews of each place suffice. */
  readonly minReviews: number
  readonly nowMs: number
  /** An aborted signal ends the build after the page of reviews that it is at, and leaves the file as it was. */
  readonly signal?: AbortSignal
}

/** Builds the index of reviews from the current data and replaces its file; returns false if there are too few. */
export const buildReviewsIndex = (
  engine: Engine,
  path: string,
  { minReviews, nowMs, signal }: ReviewsBuildOptions,
): Promise<boolean> =>
  withFeedSource(engine, async source => {
    if ((await source.reviews.count()) < minReviews) return false
    const writer = new ReviewsWriter(path, nowMs, isConceptWord)
    try {
      for await (const placed of source.reviews.all()) {
        for (const { review } of placed) writer.add(review)
        // The message that aborts the signal arrives between turns of the event loop.
        await nextTurn()
        signal?.throwIfAborted()
      }
      writer.commit({ storeId: source.storeId, position: source.position })
      return true
    } catch (error) {
      writer.discard()
      throw error
    }
  })
