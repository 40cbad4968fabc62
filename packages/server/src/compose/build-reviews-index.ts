import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Review } from '../domain/review.ts'
import type { Engine } from '../domain/stores.ts'
import type { TextVectors } from '../domain/text-vectors.ts'
import { isConceptWord } from '../search/recommend/concepts.ts'
import { hashOfSentence, maxVectors } from '../search/reviews/review-vectors.ts'
import { sentencesOfReview } from '../search/reviews/sentence-terms.ts'
import { ReviewsWriter, type SentenceVector } from '../search/reviews/writer.ts'
import { withFeedSource } from './feed-folder.ts'
import { loadTextVectors } from './load-text-vectors.ts'

/** Options of a build of the index of reviews. */
export interface ReviewsBuildOptions {
  /** Number of reviews below which no index is built: the newest reviews of each place suffice. */
  readonly minReviews: number
  readonly nowMs: number
  /** Module of the vectors of sentences; undefined without vectors. */
  readonly vectors?: string | undefined
  /** An aborted signal ends the build after the page of reviews that it is at, and leaves the file as it was. */
  readonly signal?: AbortSignal
}

/** Builds the index of reviews from the current data and replaces its file; returns false if there are too few. */
export const buildReviewsIndex = (
  engine: Engine,
  path: string,
  { minReviews, nowMs, vectors: module, signal }: ReviewsBuildOptions,
): Promise<boolean> =>
  withFeedSource(engine, async source => {
    if ((await source.reviews.count()) < minReviews) return false
    const vectors = module === undefined ? undefined : await loadTextVectors(module)
    const writer = new ReviewsWriter(path, nowMs, isConceptWord)
    try {
      for await (const placed of source.reviews.all()) {
        const reviews = placed.map(({ review }) => review)
        const found = vectors && (await embedSentences(reviews, vectors))
        for (const [i, review] of reviews.entries()) writer.add(review, found?.[i])
        // The message that aborts the signal arrives between turns of the event loop.
        await nextTurn()
        signal?.throwIfAborted()
      }
      writer.commit({
        storeId: source.storeId,
        position: source.position,
        ...(vectors && { vectors: { module: resolve(module!), dimensions: vectors.dimensions } }),
      })
      return true
    } catch (error) {
      writer.discard()
      throw error
    }
  })

/** Sentences that are embedded at once. */
const batchSize = 64

/** Embeds the sentences of reviews; returns the vectors of each review. */
async function embedSentences(reviews: readonly Review[], { embed }: TextVectors): Promise<SentenceVector[][]> {
  const sentences = reviews.map(review => sentencesOfReview(review, maxVectors))
  const all = sentences.flat()
  const vectors: Int8Array[] = []
  for (let at = 0; at < all.length; at += batchSize) vectors.push(...(await embed(all.slice(at, at + batchSize))))
  let next = 0
  return sentences.map(list => list.map(text => ({ hash: hashOfSentence(text), vector: vectors[next++]! })))
}
