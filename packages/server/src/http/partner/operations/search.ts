import type { AutocompleteIndex } from '../../../domain/autocomplete.ts'
import type { LocationReader } from '../../../domain/data-stores.ts'
import { type Fault, isFault } from '../../../domain/fault.ts'
import type { GeoIndex } from '../../../domain/geo-contents.ts'
import { getSubject } from '../../../domain/limit-subject.ts'
import type { ListPosition } from '../../../domain/list-position.ts'
import type { Locale } from '../../../domain/locale.ts'
import type { CandidateIndex } from '../../../domain/match.ts'
import type { Recommender } from '../../../domain/recommendation.ts'
import { fullScope, type Scope } from '../../../domain/scope.ts'
import type { NearbyHit, PlaceIndex, QueryCaller, SearchHit } from '../../../domain/search.ts'
import { chain, type Eventual } from '../../../kit/chain.ts'
import type { Clock } from '../../../kit/clock.ts'
import { mapList } from '../../../kit/map-list.ts'
import { checkCategories } from '../../../usecases/partner/check-categories.ts'
import { listCategories } from '../../../usecases/partner/list-categories.ts'
import { nearbyCatalog, nearbyLocations } from '../../../usecases/partner/nearby-locations.ts'
import type { Found, SearchStores } from '../../../usecases/partner/read-hits.ts'
import { searchCatalog, searchLocations } from '../../../usecases/partner/search-locations.ts'
import { searchRecommendations } from '../../../usecases/partner/search-recommendations.ts'
import type { Json, NearbyArgs, SearchArgs } from '../../../versions/version.ts'
import type { RenderedBody } from '../../wire/rendered.ts'
import { bindParts, type Call, type HandlerTable, type OperationResult } from '../call.ts'
import { findReady, type ReadyBodies } from '../ready-bodies.ts'
import { type LocationRenderer, render, renderResults } from '../render.ts'
import { describePage, type ListCall, readPosition } from './pagination.ts'

/** Dependencies of the search operations. */
export interface SearchParts {
  readonly index: ServedIndex
  readonly recommender: Recommender
  readonly locations: LocationReader
  readonly renderer: LocationRenderer
  readonly ready: ReadyBodies
  readonly clock: Clock
  readonly settings: { readonly publicUrl: string }
}

/** The search index, which may not be built yet. */
export interface ServedIndex extends PlaceIndex, CandidateIndex, AutocompleteIndex, GeoIndex {
  /** Returns 503 while the index is built for the first time. */
  notReady(): Fault | undefined
}

const handlers: HandlerTable<
  SearchParts,
  'searchLocations' | 'searchCatalog' | 'nearbyLocations' | 'nearbyCatalog' | 'searchRecommendations' | 'listCategories'
> = {
  searchLocations: (p, call) =>
    search(p, call, 'searchLocations', ({ query, locales }, position) =>
      searchLocations(withReady(p, call, locales), call.scope, query, callerOf(call), position),
    ),
  searchCatalog: (p, call) =>
    search(p, call, 'searchCatalog', ({ query }, position) => searchCatalog(p, query, callerOf(call), position)),
  nearbyLocations: (p, call) =>
    nearby(p, call, 'nearbyLocations', ({ query, locales }, position) =>
      nearbyLocations(withReady(p, call, locales), call.scope, query, callerOf(call), position),
    ),
  nearbyCatalog: (p, call) =>
    nearby(p, call, 'nearbyCatalog', ({ query }, position) => nearbyCatalog(p, query, callerOf(call), position)),
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

/** Presenters of results by operation; those of the catalog are not narrowed by the scope of a key. */
const kinds = {
  searchLocations: 'location',
  nearbyLocations: 'location',
  searchCatalog: 'catalogLocation',
  nearbyCatalog: 'catalogLocation',
} as const

/** Runs a query of the index for a page. */
type Run<Args, R> = (args: Args, position: ListPosition | undefined) => Eventual<R>

function search(
  parts: SearchParts,
  call: Call,
  operation: 'searchLocations' | 'searchCatalog',
  run: Run<SearchArgs, Results<SearchHit>>,
): Eventual<OperationResult | Fault> {
  const nowMs = parts.clock.nowMs()
  const args = call.version.read.searchLocations(call.query, nowMs)
  if (isFault(args)) return args
  const { searchFields } = call.version.present
  return runPage(parts, { operation, call, nowMs }, args, run, searchFields)
}

function nearby(
  parts: SearchParts,
  call: Call,
  operation: 'nearbyLocations' | 'nearbyCatalog',
  run: Run<NearbyArgs, Results<NearbyHit> | Fault>,
): Eventual<OperationResult | Fault> {
  const nowMs = parts.clock.nowMs()
  const args = call.version.read.nearbyLocations(call.query, nowMs)
  if (isFault(args)) return args
  const { nearbyFields } = call.version.present
  return runPage(parts, { operation, call, nowMs }, args, run, nearbyFields)
}

/** A call of a list of places. */
type PlaceListCall = ListCall & { readonly operation: keyof typeof kinds }

/** Runs a query and renders its page; `fieldsOf` returns the members that a result has next to its location. */
function runPage<Args extends SearchArgs | NearbyArgs, H>(
  parts: SearchParts,
  list: PlaceListCall,
  args: Args,
  run: Run<Args, Results<H> | Fault>,
  fieldsOf: (hit: H) => Json,
): Eventual<OperationResult | Fault> {
  const position = readPosition(list, args)
  if (isFault(position)) return position
  const refused = refuse(parts, kinds[list.operation] === 'location' ? list.call.scope : fullScope, args.query)
  if (refused) return refused
  return chain(run(args, position), found =>
    isFault(found) ? found : renderFound(parts, list, { args, found }, fieldsOf),
  )
}

/** A page of results with the arguments of its request. */
interface FoundPage<H> {
  readonly args: SearchArgs | NearbyArgs
  readonly found: Results<H>
}

function renderFound<H>(
  { renderer, settings }: SearchParts,
  list: PlaceListCall,
  { args, found }: FoundPage<H>,
  fieldsOf: (hit: H) => Json,
): OperationResult {
  const { version } = list.call
  const { items, interpretation } = found
  const results = mapList(items, item => ({
    body: item.entry ? renderer.renderOne(item.entry, version, kinds[list.operation], args.locales) : item.body,
    fields: fieldsOf(item.hit),
  }))
  const { pagination, next } = describePage(list, args, found, settings.publicUrl)
  const rest = { pagination, ...(interpretation && version.present.interpretation?.(interpretation)) }
  return { rendered: renderResults(results, rest), entities: items.length, next }
}
