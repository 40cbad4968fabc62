import { type Fault, isFault } from '../../../domain/fault.ts'
import type { Recommender } from '../../../domain/recommendation.ts'
import type { NearbyHit, PlaceIndex, SearchHit, SearchQuery } from '../../../domain/search.ts'
import type { LocationReader } from '../../../domain/stores.ts'
import type { Clock } from '../../../kit/clock.ts'
import { type NearbyRequest, nearbyCatalog, nearbyLocations } from '../../../usecases/partner/nearby-locations.ts'
import type { Found } from '../../../usecases/partner/read-hits.ts'
import { searchCatalog, searchLocations } from '../../../usecases/partner/search-locations.ts'
import { searchRecommendations } from '../../../usecases/partner/search-recommendations.ts'
import { type Call, type HandlerTable, type OperationResult, withParts } from '../call.ts'
import type { LocationRenderer } from '../render.ts'
import { pagination } from './pagination.ts'

export interface SearchParts {
  readonly index: ServedIndex
  readonly recommender: Recommender
  readonly locations: LocationReader
  readonly renderer: LocationRenderer
  readonly clock: Clock
}

/** The search index, which may not be built yet. */
export interface ServedIndex extends PlaceIndex {
  /** Returns 503 while the index is built for the first time. */
  notReady(): Fault | undefined
}

const handlers: HandlerTable<
  SearchParts,
  'searchLocations' | 'searchCatalog' | 'nearbyLocations' | 'nearbyCatalog' | 'searchRecommendations'
> = {
  searchLocations: (p, call) => search(p, call, 'location', query => searchLocations(p, call.scope, query)),
  searchCatalog: (p, call) => search(p, call, 'catalogLocation', query => searchCatalog(p, query)),
  nearbyLocations: (p, call) => nearby(p, call, 'location', query => nearbyLocations(p, call.scope, query)),
  nearbyCatalog: (p, call) => nearby(p, call, 'catalogLocation', query => nearbyCatalog(p, query)),
  searchRecommendations: async (p, { version, scope, query }) => {
    const args = version.read.searchRecommendations(query)
    if (isFault(args)) return args
    const missing = p.index.notReady()
    if (missing) return missing
    const found = await searchRecommendations(p, scope, { ...args.query, nowMs: p.clock.nowMs() })
    if (isFault(found)) return found
    const results = found.map(({ entry, hit }) => ({
      entry,
      facts: version.present.recommendationFields(hit.reasons),
    }))
    return { rendered: p.renderer.results(results, version, 'location', args.locales, {}), entities: found.length }
  },
}

/** Searches by text, by distance and by preference. */
export const createSearchOperations = (parts: SearchParts) => withParts(parts, handlers)

async function search(
  { index, clock, renderer }: SearchParts,
  { version, query }: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: SearchQuery) => Promise<Found<SearchHit>>,
): Promise<OperationResult | Fault> {
  const args = version.read.searchLocations(query, clock.nowMs())
  if (isFault(args)) return args
  const missing = index.notReady()
  if (missing) return missing
  const { items, total } = await run(args.query)
  const results = items.map(({ entry, hit }) => ({ entry, facts: version.present.searchFields(entry, hit) }))
  const rest = { pagination: pagination(args, total) }
  return { rendered: renderer.results(results, version, kind, args.locales, rest), entities: items.length }
}

async function nearby(
  { index, clock, renderer }: SearchParts,
  { version, query }: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: NearbyRequest) => Promise<Found<NearbyHit> | Fault>,
): Promise<OperationResult | Fault> {
  const args = version.read.nearbyLocations(query, clock.nowMs())
  if (isFault(args)) return args
  const missing = index.notReady()
  if (missing) return missing
  const found = await run(args.query)
  if (isFault(found)) return found
  const results = found.items.map(({ entry, hit }) => ({ entry, facts: version.present.nearbyFields(hit) }))
  const rest = { pagination: pagination(args, found.total) }
  return { rendered: renderer.results(results, version, kind, args.locales, rest), entities: found.items.length }
}
