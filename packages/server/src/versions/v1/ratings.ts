import type { RatingSummary } from '../../domain/ratings.ts'
import { subratingName } from '../../domain/subratings.ts'
import { halfSteps, ratingIconUrl, subratingIconUrl } from '../primitives/format.ts'
import { locale } from './text.ts'

const ratingNames: Readonly<Record<number, string>> = {
  5: 'Excellent',
  4: 'Very good',
  3: 'Average',
  2: 'Poor',
  1: 'Terrible',
}

/** How an icon is given: a URL in a location, an ImageUrl in a review (SPEC §2.1 and §2.3). */
export type Icons<T> = { readonly rating: (rating: number) => T; readonly subrating: (type: string) => T }

/** Icons of a location. */
export const urlIcons = (publicUrl: string): Icons<string> => ({
  rating: rating => ratingIconUrl(publicUrl, rating),
  subrating: type => subratingIconUrl(publicUrl, type),
})

/** Icons inside a review. */
export const imageIcons = (publicUrl: string): Icons<{ key: string; url: string }> => ({
  rating: rating => ({ key: `rating_${halfSteps(rating)}`, url: ratingIconUrl(publicUrl, rating) }),
  subrating: type => ({ key: `subrating_${type}`, url: subratingIconUrl(publicUrl, type) }),
})

/** traveler_ratings (SPEC §2.1, §2.2): everything but the overall summary at its top level. */
export const travelerRatings = <T>(summary: RatingSummary, icons: Icons<T>) => ({
  overall: overallRating(summary, icons),
  subratings: summary.subratings?.map(({ type, rating, count }) => ({
    type,
    rating,
    count,
    icon_url: icons.subrating(type),
    type_name: subratingName(type),
  })),
  breakdowns: summary.breakdowns?.map(({ rating, count }) => ({ rating, count, rating_name: ratingNames[rating] })),
  language_counts: summary.languageCounts?.map(({ language, count }) => ({ language: locale(language), count })),
})

/** traveler_ratings.overall alone, as the catalog shows it. */
export const overallRating = <T>({ overall }: RatingSummary, icons: Icons<T>) =>
  overall && {
    rating: overall.rating,
    count: overall.count,
    icon_url: overall.rating === undefined ? undefined : icons.rating(overall.rating),
  }
