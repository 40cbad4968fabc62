import { type Fault, fault } from '../../domain/fault.ts'
import type { RecommendationHit, RecommendationQuery, Recommender } from '../../domain/recommendation.ts'
import type { Scope } from '../../domain/scope.ts'
import type { LocationReader } from '../../domain/stores.ts'
import { type Found, withEntries } from './search-locations.ts'

/** What somebody asks; the scope is the key's. */
export type RecommendationAsked = Omit<RecommendationQuery, 'scope'>

interface Stores {
  readonly recommender: Recommender
  readonly locations: LocationReader
}

/** Places that answer a wish, best first, within a scope. */
export async function searchRecommendations(
  stores: Stores,
  scope: Scope,
  { place, ...asked }: RecommendationAsked,
): Promise<Found<RecommendationHit>['items'] | Fault> {
  const found = await stores.recommender.recommend({
    ...asked,
    ...(place && { place: await merged(stores.locations, place) }),
    scope,
  })
  if (found === 'no_place') return placeMissing()
  if (found === 'geo_unknown') return geoUnknown()
  return withEntries(stores.locations, scope, found)
}

/** A place that was merged into another is looked for as the survivor. */
async function merged(locations: LocationReader, place: NonNullable<RecommendationAsked['place']>) {
  if (!('geoId' in place)) return place
  const entry = await locations.get(place.geoId)
  return { geoId: entry?.id ?? place.geoId }
}

const placeMissing = (): Fault =>
  wrong(
    'geo_name',
    'geo_name, geo_id, or lat and lon with radius is required, because the query names no place that is known here; or say where in the query, as in "romantic dinner in Madrid".',
  )

const geoUnknown = (): Fault => wrong('geo_id', 'geo_id must be the id of a place.')

function wrong(field: string, message: string): Fault {
  return fault('parameters_invalid', { detail: message, fieldErrors: [{ field, message }] })
}
