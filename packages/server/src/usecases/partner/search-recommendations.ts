import type { LocationReader } from '../../domain/data-stores.ts'
import { type Fault, fault } from '../../domain/fault.ts'
import type {
  DestinationQuery,
  RecommendationHit,
  RecommendationQuery,
  Recommender,
} from '../../domain/recommendation.ts'
import type { Scope } from '../../domain/scope.ts'
import type { QueryCaller } from '../../domain/search.ts'
import { distinctItems, type FoundItem } from './read-hits.ts'

/** Query of a partner; the scope is the key's. */
export type RecommendationRequest = Omit<RecommendationQuery, 'scope'>

interface Stores {
  readonly recommender: Recommender
  readonly locations: LocationReader
}

/** Recommends places for a query in natural language, best first, within a scope. */
export async function searchRecommendations(
  stores: Stores,
  scope: Scope,
  { destination, ...request }: RecommendationRequest,
  caller: QueryCaller,
): Promise<readonly FoundItem<RecommendationHit>[] | Fault> {
  const survivor = destination && (await survivorOf(stores.locations, destination))
  const found = await stores.recommender.recommend(
    { ...request, ...(survivor && { destination: survivor }), scope },
    caller,
  )
  if (found === 'no_destination') return destinationMissing()
  if (found === 'geo_unknown') return geoUnknown()
  return distinctItems(scope, found, await stores.locations.getMany(found.map(({ id }) => id)))
}

/** Replaces the id of a merged place by the id of its survivor. */
async function survivorOf(locations: LocationReader, destination: DestinationQuery): Promise<DestinationQuery> {
  if (!('geoId' in destination)) return destination
  const entry = await locations.get(destination.geoId)
  return { geoId: entry?.id ?? destination.geoId }
}

const destinationMissing = (): Fault =>
  invalid(
    'geo_name',
    'geo_name, geo_id, or lat and lon with radius is required, because the query does not mention a known place. Alternatively, mention the place in the query, as in "romantic dinner in Madrid".',
  )

const geoUnknown = (): Fault => invalid('geo_id', 'geo_id must be the id of a place.')

function invalid(field: string, message: string): Fault {
  return fault('parameters_invalid', { detail: message, fieldErrors: [{ field, message }] })
}
