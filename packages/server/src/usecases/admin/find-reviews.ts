import { setImmediate } from 'node:timers/promises'
import type { Actor } from '../../domain/actor.ts'
import type { Id } from '../../domain/id.ts'
import type { ModeratedReview, ReviewList, ReviewScan } from '../../domain/review-list.ts'
import type { Clock } from '../../kit/clock.ts'

/** Reviews that one call has found. */
export interface FoundReviews {
  readonly reviews: readonly ModeratedReview[]
  /** Number of reviews that were read. */
  readonly read: number
  /** Value of `after` with which the search continues; undefined at the end. */
  readonly next?: Id
}

/** Number of reviews that are read before other requests run. */
const stepRows = 2000
/** Time after which a call returns what it has found, in microseconds. */
const maxUs = 1_000_000

/**
 * Finds reviews by their user or a part of their text, which no index has: reads reviews in short steps and returns
 * when `limit` reviews are found or a second has passed. Nothing about the search is stored.
 */
export async function findReviews(
  { reviewList, clock }: { readonly reviewList: ReviewList; readonly clock: Clock },
  _actor: Actor,
  { limit, after, ...query }: Omit<ReviewScan, 'rows'> & { readonly limit: number },
): Promise<FoundReviews> {
  const endUs = clock.monotonicUs() + maxUs
  const reviews: ModeratedReview[] = []
  let read = 0
  let position = after
  do {
    const step = await reviewList.scan({ ...query, after: position, rows: stepRows })
    const room = limit - reviews.length
    reviews.push(...step.reviews.slice(0, room))
    read += step.read
    if (step.reviews.length > room) return { reviews, read, next: reviews.at(-1)!.review.id }
    if (step.last === undefined) return { reviews, read }
    position = step.last
    await setImmediate()
  } while (reviews.length < limit && clock.monotonicUs() < endUs)
  return { reviews, read, next: position }
}
