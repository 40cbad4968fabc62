import type { LocationEntry } from '../../domain/location.ts'
import type { Reason } from '../../domain/recommendation.ts'
import { type NearbyHit, namesOf, type SearchHit } from '../../domain/search.ts'
import { orEmpty } from './absent.ts'
import { locale } from './text.ts'

const kilometresPerMile = 1.609344

/** What stands beside `location` in a search result: the name that matched, where one did. */
export function searchFacts(entry: LocationEntry, { matchedName }: SearchHit) {
  const name = matchedName === undefined ? undefined : namesOf(entry.location())[matchedName]
  return { matched_value: orEmpty(name, ({ language, value }) => ({ language: locale(language), value })) }
}

/** What stands beside `location` in a nearby result. */
export const nearbyFacts = ({ distanceKm, bearing }: NearbyHit) => ({
  bearing: toThousandths(bearing) % 360,
  distance_kilometers: toThousandths(distanceKm),
  distance_miles: toThousandths(distanceKm / kilometresPerMile),
})

/** What stands beside `location` in a recommendation; ids of reviews were strings (SPEC §9.5). */
export const recommendationFacts = (reasons: readonly Reason[]) => ({
  type: 'location',
  review_sources: reasons.map(({ reviewId, snippet }) => ({ id: String(reviewId), snippet })),
})

const toThousandths = (value: number): number => Math.round(value * 1000) / 1000
