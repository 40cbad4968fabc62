import type { Reason } from '../../domain/recommendation.ts'
import type { NearbyHit, SearchHit } from '../../domain/search.ts'
import { orEmpty } from './absent.ts'
import { formatLocale } from './text.ts'

const kmPerMile = 1.609344

/** Presents the members of a search result next to `location`: the name that matched, if one did. */
export const searchFields = ({ matchedName }: SearchHit) => ({
  matched_value: orEmpty(matchedName, ({ language, value }) => ({ language: formatLocale(language), value })),
})

/** Presents the members of a nearby result next to `location`. */
export const nearbyFields = ({ distanceKm, bearing }: NearbyHit) => ({
  bearing: roundTo3Decimals(bearing) % 360,
  distance_kilometers: roundTo3Decimals(distanceKm),
  distance_miles: roundTo3Decimals(distanceKm / kmPerMile),
})

/** Presents the members of a recommendation next to `location`. Review ids are strings in v0 (SPEC §9.5). */
export const recommendationFields = (reasons: readonly Reason[]) => ({
  type: 'location',
  review_sources: reasons.map(({ reviewId, snippet }) => ({ id: String(reviewId), snippet })),
})

const roundTo3Decimals = (value: number): number => Math.round(value * 1000) / 1000
