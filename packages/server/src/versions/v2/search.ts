import type { LocationEntry } from '../../domain/location.ts'
import type { Reason } from '../../domain/recommendation.ts'
import { type NearbyHit, namesOf, type SearchHit } from '../../domain/search.ts'
import { longJson } from '../../kit/long-json.ts'

const kilometresPerMile = 1.609344

/** What stands beside `location` in a search result: the name that matched, where one did. */
export function searchFacts(entry: LocationEntry, { matchedName }: SearchHit) {
  const name = matchedName === undefined ? undefined : namesOf(entry.location())[matchedName]
  return {
    matched_value: name && { language: name.language, value: name.value },
  }
}

/** What stands beside `location` in a nearby result. */
export const nearbyFacts = ({ distanceKm, bearing }: NearbyHit) => ({
  bearing: toThousandths(bearing) % 360,
  distance_kilometers: toThousandths(distanceKm),
  distance_miles: toThousandths(distanceKm / kilometresPerMile),
})

/** What stands beside `location` in a recommendation: reviews that say why. */
export const recommendationFacts = (reasons: readonly Reason[]) => ({
  type: 'location',
  review_sources:
    reasons.length > 0 ? reasons.map(({ reviewId, snippet }) => ({ id: longJson(reviewId), snippet })) : undefined,
})

const toThousandths = (value: number): number => Math.round(value * 1000) / 1000
