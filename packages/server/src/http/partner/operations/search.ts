import type { AutocompleteIndex } from '../../../domain/autocomplete.ts'
import type { LocationReader } from '../../../domain/data-stores.ts'
import { type Fault, isFault } from '../../../domain/fault.ts'
import { getSubject } from '../../../domain/limit-subject.ts'
import type { Locale } from '../../../domain/locale.ts'
import type { CandidateIndex } from '../../../domain/match.ts'
import type { Recommender } from '../../../domain/recommendation.ts'
import { fullScope, type Scope } from '../../../domain/scope.ts'
import type { NearbyHit, PlaceIndex, QueryCaller, SearchHit, SearchQuery } from '../../../domain/search.ts'
import { chain, type Eventual } from '../../../kit/chain.ts'
import type { Clock } from '../../../kit/clock.ts'
import { checkCategories } from '../../../usecases/partner/check-categories.ts'
import { listCategories } from '../../../usecases/partner/list-categories.ts'
import { type NearbyRequest, nearbyCatalog, nearbyLocations } from '../../../usecases/partner/nearby-locations.ts'
import type { Found, SearchStores } from '../../../usecases/partner/read-hits.ts'
import { searchCatalog, searchLocations } from '../../../usecases/partner/search-locations.ts'
import { searchRecommendations } from '../../../usecases/partner/search-recommendations.ts'
import type { Json } from '../../../versions/version.ts'
import type { RenderedBody } from '../../wire/rendered.ts'
import { bindParts, type Call, type HandlerTable, type OperationResult } from '../call.ts'
import { findReady, type ReadyBodies } from '../ready-bodies.ts'
import { type LocationRenderer, render, renderResults } from '../render.ts'
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
export interface ServedIndex extends PlaceIndex, CandidateIndex, AutocompleteIndex {
  /** Returns 503 while the index is built for the first time. */
  notReady(): Fault | undefined
}

const handlers: HandlerTable<
  SearchParts,
  'searchLocations' | 'searchCatalog' | 'nearbyLocations' | 'nearbyCatalog' | 'searchRecommendations' | 'listCategories'
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
    const refused = refuse(p, scope, args.query)
    if (refused) return refused
    const request = { ...args.query, nowMs: p.clock.nowMs() }
    const found = await searchRecommendations(p, scope, request, callerOf(call))
    if (isFault(found)) return found
    const results = found.map(({ entry, hit }) => ({
      body: p.renderer.renderOne(entry, version, 'location', args.locales),
      fields: version.present.recommendationFields(hit.reasons),
    }))
    return { rendered: renderResults(results, {}), entities: found.length }
  },
  listCategories: (p, call) => {
    const { version, scope } = call
    const args = version.read.listCategories(call.query)
    if (isFault(args)) return args
    const unavailable = p.index.notReady()
    if (unavailable) return unavailable
    const { locales, ...query } = args
    return chain(listCategories(p, scope, { ...query, languages: locales }, callerOf(call)), found =>
      isFault(found)
        ? found
        : { rendered: render({ data: found.map(version.present.listedCategory) }), entities: found.length },
    )
  },
}

/** Returns a fault while the index is missing, or for an unknown category. */
const refuse = (
  { index }: SearchParts,
  scope: Scope,
  { categoryIds }: { readonly categoryIds?: readonly string[] },
): Fault | undefined => index.notReady() ?? checkCategories(index, scope, categoryIds)

/** Returns the caller of the queries of a call. */
export const callerOf = ({ key, isGone }: Call): QueryCaller => ({ subject: getSubject(key), isGone })

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

function search(
  parts: SearchParts,
  call: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: SearchQuery, locales: readonly Locale[]) => Eventual<Results<SearchHit>>,
): Eventual<OperationResult | Fault> {
  const args = call.version.read.searchLocations(call.query, parts.clock.nowMs())
  if (isFault(args)) return args
  const refused = refuse(parts, kind === 'location' ? call.scope : fullScope, args.query)
  if (refused) return refused
  const { searchFields } = call.version.present
  return chain(run(args.query, args.locales), found => renderFound(parts, call, { kind, args, found }, searchFields))
}

function nearby(
  parts: SearchParts,
  call: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: NearbyRequest, locales: readonly Locale[]) => Eventual<Results<NearbyHit> | Fault>,
): Eventual<OperationResult | Fault> {
  const args = call.version.read.nearbyLocations(call.query, parts.clock.nowMs())
  if (isFault(args)) return args
  const refused = refuse(parts, kind === 'location' ? call.scope : fullScope, args.query)
  if (refused) return refused
  const { nearbyFields } = call.version.present
  return chain(run(args.query, args.locales), found =>
    isFault(found) ? found : renderFound(parts, call, { kind, args, found }, nearbyFields),
  )
}

/** A page of results with the arguments of its request. */
interface FoundPage<H> {
  readonly kind: 'location' | 'catalogLocation'
  readonly args: { readonly page: number; readonly size: number; readonly locales: readonly Locale[] }
  readonly found: Results<H>
}

/** Renders a page; `fieldsOf` returns the members that a result has next to its location. */
function renderFound<H>(
  { renderer }: SearchParts,
  { version }: Call,
  { kind, args, found: { items, total, interpretation } }: FoundPage<H>,
  fieldsOf: (hit: H) => Json,
): OperationResult {
  const results = items.map(item => ({
    body: item.entry ? renderer.renderOne(item.entry, version, kind, args.locales) : item.body,
    fields: fieldsOf(item.hit),
  }))
  const rest = {
    pagination: toPagination(args, total),
    ...(interpretation && version.present.interpretation?.(interpretation)),
  }
  return { rendered: renderResults(results, rest), entities: items.length }
}
