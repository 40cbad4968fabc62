import { getSubject } from '../../../access/limit-state.ts'
import type { LocationReader } from '../../../domain/data-stores.ts'
import { type Fault, isFault } from '../../../domain/fault.ts'
import type { Recommender } from '../../../domain/recommendation.ts'
import type { NearbyHit, PlaceIndex, QueryCaller, SearchHit, SearchQuery } from '../../../domain/search.ts'
import type { Clock } from '../../../kit/clock.ts'
import { type NearbyRequest, nearbyCatalog, nearbyLocations } from '../../../usecases/partner/nearby-locations.ts'
import type { Found } from '../../../usecases/partner/read-hits.ts'
import { searchCatalog, searchLocations } from '../../../usecases/partner/search-locations.ts'
import { searchRecommendations } from '../../../usecases/partner/search-recommendations.ts'
import { bindParts, type Call, type HandlerTable, type OperationResult } from '../call.ts'
import type { LocationRenderer } from '../render.ts'
import { toPagination } from './pagination.ts'

/** Dependencies of the search operations. */
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
  searchLocations: (p, call) =>
    search(p, call, 'location', query => searchLocations(p, call.scope, query, callerOf(call))),
  searchCatalog: (p, call) => search(p, call, 'catalogLocation', query => searchCatalog(p, query, callerOf(call))),
  nearbyLocations: (p, call) =>
    nearby(p, call, 'location', query => nearbyLocations(p, call.scope, query, callerOf(call))),
  nearbyCatalog: (p, call) => nearby(p, call, 'catalogLocation', query => nearbyCatalog(p, query, callerOf(call))),
  searchRecommendations: async (p, call) => {
    const { version, scope, query } = call
    const args = version.read.searchRecommendations(query)
    if (isFault(args)) return args
    const unavailable = p.index.notReady()
    if (unavailable) return unavailable
    const request = { ...args.query, nowMs: p.clock.nowMs() }
    const found = await searchRecommendations(p, scope, request, callerOf(call))
    if (isFault(found)) return found
    const results = found.map(({ entry, hit }) => ({
      entry,
      fields: version.present.recommendationFields(hit.reasons),
    }))
    return {
      rendered: p.renderer.renderResults(results, version, 'location', args.locales, {}),
      entities: found.length,
    }
  },
}

const callerOf = ({ key, isGone }: Call): QueryCaller => ({ subject: getSubject(key), isGone })

/** Creates the handlers of text search, nearby search and recommendations. */
export const createSearchOperations = (parts: SearchParts) => bindParts(parts, handlers)

async function search(
  { index, clock, renderer }: SearchParts,
  { version, query }: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: SearchQuery) => Promise<Found<SearchHit>>,
): Promise<OperationResult | Fault> {
  const args = version.read.searchLocations(query, clock.nowMs())
  if (isFault(args)) return args
  const unavailable = index.notReady()
  if (unavailable) return unavailable
  const { items, total } = await run(args.query)
  const results = items.map(({ entry, hit }) => ({ entry, fields: version.present.searchFields(hit) }))
  const rest = { pagination: toPagination(args, total) }
  return { rendered: renderer.renderResults(results, version, kind, args.locales, rest), entities: items.length }
}

async function nearby(
  { index, clock, renderer }: SearchParts,
  { version, query }: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: NearbyRequest) => Promise<Found<NearbyHit> | Fault>,
): Promise<OperationResult | Fault> {
  const args = version.read.nearbyLocations(query, clock.nowMs())
  if (isFault(args)) return args
  const unavailable = index.notReady()
  if (unavailable) return unavailable
  const found = await run(args.query)
  if (isFault(found)) return found
  const results = found.items.map(({ entry, hit }) => ({ entry, fields: version.present.nearbyFields(hit) }))
  const rest = { pagination: toPagination(args, found.total) }
  return { rendered: renderer.renderResults(results, version, kind, args.locales, rest), entities: found.items.length }
}
