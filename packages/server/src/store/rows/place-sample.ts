import type { Id } from '../../domain/id.ts'
import type { ReviewSample } from '../../domain/review-query.ts'

/** Number of the newest reviews among which preferred ones are searched. */
const newestSearched = 40
/** Maximum number of preferred languages. */
const maxLanguages = 3

/** The columns of a review that an index has. */
export interface SampledReview {
  readonly id: Id
  readonly trip_type: string | null
  readonly language: string | null
}

/** Returns how many of the newest reviews `pickSample` needs. */
export const sampledReviews = ({ first = [], most, tripType, languages }: ReviewSample): number =>
  tripType === undefined && languages.length === 0 ? most + first.length : Math.max(most + first.length, newestSearched)

/**
 * Picks the reviews of a place to read: `first`, then among its newest those of the trip type, in one of the languages,
 * and others. The first `most` that exist are the sample.
 */
export function pickSample(
  newest: readonly SampledReview[],
  { first = [], most, tripType, languages }: ReviewSample,
): Id[] {
  const searched = newest.slice(0, newestSearched)
  const picked = new Set(first)
  const pick = (reviews: readonly SampledReview[]) => {
    for (const { id } of reviews) picked.add(id)
  }
  if (tripType !== undefined) pick(searched.filter(review => review.trip_type === tripType))
  for (const primary of new Set(languages.slice(0, maxLanguages).map(tag => tag.split('-')[0]!)))
    pick(searched.filter(({ language }) => language === primary || language?.startsWith(`${primary}-`)))
  pick(newest)
  return [...picked].slice(0, first.length + most)
}
