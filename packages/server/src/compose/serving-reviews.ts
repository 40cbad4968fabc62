import { resolve } from 'node:path'
import type { FeedSource } from '../domain/feed-stores.ts'
import type { Engine } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import { ReviewsKeeper } from '../search/keep/reviews-keeper.ts'
import type { Layout } from '../store/folder/layout.ts'
import { withFeedSource } from './feed-folder.ts'
import { indexReviewsInThread } from './index-thread.ts'

/** Number of reviews from which an index of them is built, and the same where it has vectors. */
const minReviews = { words: 1000, vectors: 1 } as const

/** Starts the keeper of the index of reviews of a data folder. */
export function startReviewsKeeper(
  engine: Engine,
  { reviewsIndex: path }: Layout,
  { clock, log, vectors }: { readonly clock: Clock; readonly log: Logger; readonly vectors: string | undefined },
): ReviewsKeeper {
  const least = vectors === undefined ? minReviews.words : minReviews.vectors
  return new ReviewsKeeper({
    path,
    // Starting a thread costs more than reading the first reviews.
    build: async signal =>
      (await withFeedSource(engine, source => hasReviews(source, least))) &&
      (await indexReviewsInThread(engine.descriptor, { path, minReviews: least, vectors }, signal)),
    lastSeq: () => engine.changes.lastSeq(),
    changesAfter: (seq, limit) => engine.changes.after(seq, limit),
    isOwn: ({ storeId, position, vectors: made }) =>
      withFeedSource(
        engine,
        async source =>
          storeId === source.storeId &&
          made?.module === (vectors && resolve(vectors)) &&
          (await source.follows(position)),
      ),
    hasErased: seq => withFeedSource(engine, source => hasErased(source, seq)),
    nowMs: () => clock.monotonicUs() / 1000,
    onError: (error, retryMs) =>
      log.warn({ err: error }, `Could not update the index of reviews; will retry in ${retryMs / 1000} s.`),
  })
}

async function hasReviews({ reviews }: FeedSource, least: number): Promise<boolean> {
  let count = 0
  for await (const page of reviews.all()) {
    count += page.length
    if (count >= least) return true
  }
  return false
}

async function hasErased(source: FeedSource, seq: number): Promise<boolean> {
  for await (const page of source.erasedAfter(seq)) if (page.some(({ kind }) => kind === 'review')) return true
  return false
}
