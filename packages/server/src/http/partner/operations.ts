import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, isFault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { Operation } from '../../domain/operation.ts'
import type { Scope } from '../../domain/scope.ts'
import type { NearbyHit, SearchHit, SearchQuery } from '../../domain/search.ts'
import { longJson } from '../../kit/long-json.ts'
import { getCatalogLocation } from '../../usecases/partner/get-catalog-location.ts'
import { getLocation } from '../../usecases/partner/get-location.ts'
import { getLocations } from '../../usecases/partner/get-locations.ts'
import { listReviews } from '../../usecases/partner/list-reviews.ts'
import { type NearbyAsked, nearbyCatalog, nearbyLocations } from '../../usecases/partner/nearby-locations.ts'
import { type Found, searchCatalog, searchLocations } from '../../usecases/partner/search-locations.ts'
import { searchRecommendations } from '../../usecases/partner/search-recommendations.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { Version } from '../../versions/version.ts'
import type { Rendered } from '../wire/rendered.ts'
import type { Representation } from '../wire/represent.ts'
import { feedOperations } from './feeds/operations.ts'
import { pagination } from './pagination.ts'
import { render } from './render.ts'
import type { Service } from './service.ts'

/** A call that passed every gate. */
export interface Call {
  readonly service: Service
  readonly version: Version
  readonly scope: Scope
  readonly key: Key
  /** What stood for the `:names` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
}

/** An answer, and how many entities it holds. */
export type Worked = {
  readonly entities: number
  /** Beside those that every answer has, or in place of them. */
  readonly headers?: Readonly<Record<string, string>>
  /** What tells an ending, in place of what version and endpoint say. */
  readonly lifecycleHeaders?: Readonly<Record<string, string>>
} & ({ readonly rendered: Rendered } | Download)

/** A stored file, or a part of it, and the snapshot that it is of: it has limits of its own. */
export interface Download {
  readonly representation: Representation
  readonly snapshot: string
}

/** What each operation does: read its parameters, run its use case, present the outcome. */
export const operations: Readonly<Record<Operation, (call: Call) => Promise<Worked | Fault>>> = {
  getLocation: async ({ service, version, scope, params, query }) => {
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.getLocation(query)
    if (isFault(args)) return args
    const entry = await getLocation(service.locations, scope, id)
    if (isFault(entry)) return entry
    return { rendered: service.renderer.one(entry, version, 'location', args.locales), entities: 1 }
  },

  getLocations: async ({ service, version, scope, query }) => {
    const args = version.read.getLocations(query)
    if (isFault(args)) return args
    const { entries, missing, merged } = await getLocations(service.locations, scope, args.ids)
    const rest = {
      ...(missing.length > 0 && { missing_ids: missing.map(longJson) }),
      ...(merged.length > 0 && {
        merged_ids: merged.map(({ from, to }) => ({ from: longJson(from), to: longJson(to) })),
      }),
    }
    return { rendered: service.renderer.many(entries, version, args.locales, rest), entities: entries.length }
  },

  getCatalogLocation: async ({ service, version, params, query }) => {
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.getCatalogLocation(query)
    if (isFault(args)) return args
    const entry = await getCatalogLocation(service.locations, id)
    if (isFault(entry)) return entry
    return { rendered: service.renderer.one(entry, version, 'catalogLocation', args.locales), entities: 1 }
  },

  listReviews: async ({ service, version, scope, params, query }) => {
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.listReviews(query)
    if (isFault(args)) return args
    const { originalsOnly, ...filters } = args
    const found = await listReviews(service, scope, id, filters)
    if (isFault(found)) return found
    const context = { publicUrl: service.settings.publicUrl, locales: [] }
    const data = found.reviews.map(r => version.present.review(r, found.location, { originalsOnly }, context))
    return { rendered: render({ data, pagination: pagination(args, found.total) }), entities: data.length }
  },

  searchLocations: call => search(call, 'location', query => searchLocations(call.service, call.scope, query)),
  searchCatalog: call => search(call, 'catalogLocation', query => searchCatalog(call.service, query)),
  nearbyLocations: call => nearby(call, 'location', query => nearbyLocations(call.service, call.scope, query)),
  nearbyCatalog: call => nearby(call, 'catalogLocation', query => nearbyCatalog(call.service, query)),
  searchRecommendations: async ({ service, version, scope, query }) => {
    const args = version.read.searchRecommendations(query)
    if (isFault(args)) return args
    const missing = service.index.notReady()
    if (missing) return missing
    const found = await searchRecommendations(service, scope, { ...args.query, nowMs: service.clock.nowMs() })
    if (isFault(found)) return found
    const results = found.map(({ entry, hit }) => ({ entry, facts: version.present.recommendationFacts(hit.reasons) }))
    return {
      rendered: service.renderer.results(results, version, 'location', args.locales, {}),
      entities: found.length,
    }
  },
  ...feedOperations,
}

async function search(
  { service, version, query }: Call,
  kind: 'location' | 'catalogLocation',
  run: (query: SearchQuery) => Promise<Found<SearchHit>>,
): Promise<Worked | Fault> {
  const args = version.read.searchLocations(query, service.clock.nowMs())
  if (isFault(args)) return args
  const missing = service.index.notReady()
  if (missing) return missing
  const { items, total } = await run(args.query)
  const results = items.map(({ entry, hit }) => ({ entry, facts: version.present.searchFacts(entry, hit) }))
  const rest = { pagination: pagination(args, total) }
  return { rendered: service.renderer.results(results, version, kind, args.locales, rest), entities: items.length }
}

async function nearby(
  { service, version, query }: Call,
  kind: 'location' | 'catalogLocation',
  run: (asked: NearbyAsked) => Promise<Found<NearbyHit> | Fault>,
): Promise<Worked | Fault> {
  const args = version.read.nearbyLocations(query, service.clock.nowMs())
  if (isFault(args)) return args
  const missing = service.index.notReady()
  if (missing) return missing
  const found = await run(args.query)
  if (isFault(found)) return found
  const results = found.items.map(({ entry, hit }) => ({ entry, facts: version.present.nearbyFacts(hit) }))
  const rest = { pagination: pagination(args, found.total) }
  return {
    rendered: service.renderer.results(results, version, kind, args.locales, rest),
    entities: found.items.length,
  }
}
