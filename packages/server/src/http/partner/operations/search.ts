import { getSubject } from '../../../access/limit-state.ts'
import type { LocationReader } from '../../../domain/data-stores.ts'
import { type Fault, isFault } from '../../../domain/fault.ts'
import type { Locale } from '../../../domain/locale.ts'
import type { Recommender } from '../../../domain/recommendation.ts'
import type { NearbyHit, PlaceIndex, QueryCaller, SearchHit, SearchQuery } from '../../../domain/search.ts'
import type { Clock } from '../../../kit/clock.ts'
import { type NearbyRequest, nearbyCatalog, nearbyLocations } from '../../../usecases/partner/nearby-locations.ts'
import type { Found, SearchStores } from '../../../usecases/partner/read-hits.ts'
import { searchCatalog, searchLocations } from '../../../usecases/partner/search-locations.ts'
import { searchRecommendations } from '../../../usecases/partner/search-recommendations.ts'
import type { RenderedBody } from '../../wire/rendered.ts'
import { bindParts, type Call, type HandlerTable, type OperationResult } from '../call.ts'
import { findReady, type ReadyBodies } from '../ready-bodies.ts'
import { type LocationRenderer, renderResults } from '../render.ts'
import { toPagination } from './pagination.ts'

/** Dependencies of the search operations. */
export interface SearchParts {
  readonly index: ServedIndex
  readonly recommender: Recommender
  readonly locations: LocationReader
  readonly renderer: LocationRenderer
  readonly ready: ReadyBodies
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
    search(p, call, 'location', (query, locales) =>
      searchLocations(withReady(p, call, locales), call.scope, query, callerOf(call)),
    ),
  searchCatalog: (p, call) => search(p, call, 'catalogLocation', query => searchCatalog(p, query, callerOf(call))),
  nearbyLocations: (p, call) =>
    nearby(p, call, 'location', (query, locales) =>
      nearbyLocations(withReady(p, call, locales), call.scope, query, callerOf(call)),
    ),
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
      body: p.renderer.renderOne(entry, version, 'location', args.locales),
      fields: version.present.recommendationFields(hit.reasons),
    }))
    return { rendered: renderResults(results, {}), entities: found.length }
  },
}

const callerOf = ({ key, isGone }: Call): QueryCaller => ({ subject: getSubject(key), isGone })

/** Returns the stores with the ready bodies of a call. */
const withReady = (
  { index, locations, ready }: SearchParts,
  { version, scope }: Call,
  locales: readonly Locale[],
): SearchStores<RenderedBody> => ({
  index,
  locations,
  findBody: id => findReady(ready, { version, scope, locales }, id),
})

type Results<H> = Found<H> | Found<H, RenderedBody>

/** Creates the handlers of text search, nearby search and recommendations. */
export const createSearchOperations = (parts: SearchParts) => bindParts(parts, handlers)

async function search(
  { index, clock, renderer }: SearchParts,
  { version, query }: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: SearchQuery, locales: readonly Locale[]) => Promise<Results<SearchHit>>,
): Promise<OperationResult | Fault> {
  const args = version.read.searchLocations(query, clock.nowMs())
  if (isFault(args)) return args
  const unavailable = index.notReady()
  if (unavailable) return unavailable
  const { items, total } = await run(args.query, args.locales)
  const results = items.map(item => ({
    body: item.entry ? renderer.renderOne(item.entry, version, kind, args.locales) : item.body,
    fields: version.present.searchFields(item.hit),
  }))
  const rest = { pagination: toPagination(args, total) }
  return { rendered: renderResults(results, rest), entities: items.length }
}

async function nearby(
  { index, clock, renderer }: SearchParts,
  { version, query }: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: NearbyRequest, locales: readonly Locale[]) => Promise<Results<NearbyHit> | Fault>,
): Promise<OperationResult | Fault> {
  const args = version.read.nearbyLocations(query, clock.nowMs())
  if (isFault(args)) return args
  const unavailable = index.notReady()
  if (unavailable) return unavailable
  const found = await run(args.query, args.locales)
  if (isFault(found)) return found
  const results = found.items.map(item => ({
    body: item.entry ? renderer.renderOne(item.entry, version, kind, args.locales) : item.body,
    fields: version.present.nearbyFields(item.hit),
  }))
  const rest = { pagination: toPagination(args, found.total) }
  return { rendered: renderResults(results, rest), entities: found.items.length }
}
