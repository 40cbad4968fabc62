import type { Reason } from '../../domain/recommendation.ts'
import type { NearbyHit, SearchHit } from '../../domain/search.ts'
import { toLongJson } from '../../kit/long-json.ts'

const kmPerMile = 1.609344

/** Presents the members of a search result next to `location`: the name that matched, if one did. */
export const searchFields = ({ matchedName: name }: SearchHit) => ({
  matched_value: name && { language: name.language, value: name.value },
})

/** Presents the members of a nearby result next to `location`. */
export const nearbyFields = ({ distanceKm, bearing }: NearbyHit) => ({
  bearing: roundTo3Decimals(bearing) % 360,
  distance_kilometers: roundTo3Decimals(distanceKm),
  distance_miles: roundTo3Decimals(distanceKm / kmPerMile),
})

/** Presents the members of a recommendation next to `location`: reviews that support it. */
export const recommendationFields = (reasons: readonly Reason[]) => ({
  type: 'location',
  review_sources:
    reasons.length > 0 ? reasons.map(({ reviewId, snippet }) => ({ id: toLongJson(reviewId), snippet })) : undefined,
})

const roundTo3Decimals = (value: number): number => Math.round(value * 1000) / 1000
