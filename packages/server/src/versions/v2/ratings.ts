import type { RatingSummary } from '../../domain/ratings.ts'
import { subratingName } from '../../domain/subratings.ts'
import { getRatingIconUrl, getSubratingIconUrl, toHalfSteps } from '../primitives/format.ts'
import { labelled } from './labels.ts'

const ratingNames: Readonly<Record<number, string>> = {
  5: 'Excellent',
  4: 'Very good',
  3: 'Average',
  2: 'Poor',
  1: 'Terrible',
}

/** Functions that present icons: as a URL in a location, as an ImageUrl in a review (SPEC §2.1, §2.3). */
export type Icons<T> = { readonly rating: (rating: number) => T; readonly subrating: (type: string) => T }

/** Presents icons as URLs, for locations. */
export const createUrlIcons = (publicUrl: string): Icons<string> => ({
  rating: rating => getRatingIconUrl(publicUrl, rating),
  subrating: type => getSubratingIconUrl(publicUrl, type),
})

/** Presents icons as ImageUrl objects, for reviews. */
export const createImageIcons = (publicUrl: string): Icons<{ key: string; url: string }> => ({
  rating: rating => ({ key: `rating_${toHalfSteps(rating)}`, url: getRatingIconUrl(publicUrl, rating) }),
  subrating: type => ({ key: `subrating_${type}`, url: getSubratingIconUrl(publicUrl, type) }),
})

/** Presents traveler_ratings (SPEC §2.1, §2.2). */
export const travelerRatings = <T>(summary: RatingSummary, icons: Icons<T>) => ({
  overall: overallRating(summary, icons),
  subratings: summary.subratings?.map(({ type, rating, count }) => ({
    type: labelled(type, subratingName),
    rating,
    count,
    icon_url: icons.subrating(type),
  })),
  breakdowns: summary.breakdowns?.map(({ rating, count }) => ({ rating, count, rating_name: ratingNames[rating] })),
  language_counts: summary.languageCounts?.map(({ language, count }) => ({ language, count })),
})

/** Presents traveler_ratings.overall, the only part that the catalog shows. */
export const overallRating = <T>({ overall }: RatingSummary, icons: Icons<T>) =>
  overall && {
    rating: overall.rating,
    count: overall.count,
    icon_url: overall.rating === undefined ? undefined : icons.rating(overall.rating),
  }
