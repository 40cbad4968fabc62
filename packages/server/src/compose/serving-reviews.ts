import type { FeedSource } from '../domain/feed-stores.ts'
import type { Engine } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import { ReviewsKeeper } from '../search/keep/reviews-keeper.ts'
import type { Layout } from '../store/folder/layout.ts'
import { withFeedSource } from './feed-folder.ts'
import { indexReviewsInThread } from './index-thread.ts'

/** Number of reviews from which an index of them is built. */
const minReviews = 1000

/** Starts the keeper of the index of reviews of a data folder. */
export function startReviewsKeeper(
  engine: Engine,
  { reviewsIndex: path }: Layout,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): ReviewsKeeper {
  return new ReviewsKeeper({
    path,
    // Starting a thread costs more than reading the first reviews.
    build: async signal =>
      (await withFeedSource(engine, hasEnoughReviews)) &&
      (await indexReviewsInThread(engine.descriptor, { path, minReviews }, signal)),
    lastSeq: () => engine.changes.lastSeq(),
    changesAfter: (seq, limit) => engine.changes.after(seq, limit),
    isOwn: ({ storeId, position }) =>
      withFeedSource(engine, async source => storeId === source.storeId && (await source.follows(position))),
    hasErased: seq => withFeedSource(engine, source => hasErased(source, seq)),
    nowMs: () => clock.monotonicUs() / 1000,
    onError: error => log.warn({ err: error }, 'Could not build the index of reviews; will retry.'),
  })
}

async function hasEnoughReviews({ reviews }: FeedSource): Promise<boolean> {
  let count = 0
  for await (const page of reviews.all()) {
    count += page.length
    if (count >= minReviews) return true
  }
  return false
}

async function hasErased(source: FeedSource, seq: number): Promise<boolean> {
  for await (const page of source.erasedAfter(seq)) if (page.some(({ kind }) => kind === 'review')) return true
  return false
}
