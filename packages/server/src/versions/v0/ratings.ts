import type { RatingSummary } from '../../domain/ratings.ts'
import { getRatingIconUrl, toHalfSteps } from '../primitives/format.ts'
import { list, orNull } from './absent.ts'
import { formatLocale } from './text.ts'

const ratingNames: Readonly<Record<number, string>> = {
  5: 'Excellent',
  4: 'Very good',
  3: 'Average',
  2: 'Poor',
  1: 'Terrible',
}

/** Returns the icon of a rating: a URL in a location, an ImageUrl in a review (SPEC §2.1, §2.3). */
export type RatingIcon<T> = (rating: number) => T

export const createUrlIcon =
  (publicUrl: string): RatingIcon<string> =>
  rating =>
    getRatingIconUrl(publicUrl, rating)

export const createImageIcon =
  (publicUrl: string): RatingIcon<{ key: string; url: string }> =>
  rating => ({ key: `rating_${toHalfSteps(rating)}`, url: getRatingIconUrl(publicUrl, rating) })

/**
 * Presents traveler_ratings: everything is inside `overall`, and subratings have no icon_url or type_name (SPEC §9.5).
 */
export const travelerRatings = <T>(summary: RatingSummary, icon: RatingIcon<T>) => ({
  overall: {
    ...overallRating(summary, icon),
    subratings: list(summary.subratings, ({ type, rating, count }) => ({ type, rating, count: orNull(count) })),
    breakdowns: list(summary.breakdowns, ({ rating, count }) => ({
      rating,
      count,
      rating_name: orNull(ratingNames[rating]),
    })),
    language_counts: list(summary.languageCounts, ({ language, count }) => ({
      language: formatLocale(language),
      count,
    })),
  },
})

/** Presents the rating summary, the only part that the catalog shows. */
export const overallRating = <T>({ overall }: RatingSummary, icon: RatingIcon<T>) => ({
  rating: orNull(overall?.rating),
  count: orNull(overall?.count),
  icon_url: overall?.rating === undefined ? null : icon(overall.rating),
})
