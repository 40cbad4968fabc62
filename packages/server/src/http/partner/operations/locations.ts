import { digestSession } from '../../../access/session-name.ts'
import type { LocationReader, ReviewReader } from '../../../domain/data-stores.ts'
import { type Fault, isFault } from '../../../domain/fault.ts'
import type { Clock } from '../../../kit/clock.ts'
import { toLongJson } from '../../../kit/long-json.ts'
import { getByExternalIds } from '../../../usecases/partner/get-by-external-ids.ts'
import { getCatalogLocation } from '../../../usecases/partner/get-catalog-location.ts'
import { getLocation } from '../../../usecases/partner/get-location.ts'
import { listReviews } from '../../../usecases/partner/list-reviews.ts'
import type { LocationsArgs } from '../../../versions/version.ts'
import { bindParts, type Call, type HandlerTable, type OperationResult } from '../call.ts'
import { findReady, type ReadyBodies } from '../ready-bodies.ts'
import { type LocationRenderer, render, renderMany } from '../render.ts'
import { describePage, readPosition } from './pagination.ts'
import { readBodies } from './read-bodies.ts'
import { callerOf, type ServedIndex } from './search.ts'

/** Dependencies of the location and review operations. */
export interface LocationParts {
  readonly locations: LocationReader
  readonly index: ServedIndex
  readonly reviews: ReviewReader
  readonly renderer: LocationRenderer
  readonly ready: ReadyBodies
  readonly clock: Clock
  readonly settings: { readonly publicUrl: string }
}

const handlers: HandlerTable<LocationParts, 'getLocation' | 'getLocations' | 'getCatalogLocation' | 'listReviews'> = {
  getLocation: async ({ locations, renderer, ready }, { version, scope, params, query, key }) => {
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.getLocation(query)
    if (isFault(args)) return args
    const session = args.session === undefined ? undefined : digestSession(key.id, args.session)
    const use = session === undefined ? {} : { session: { kind: 'chosen', session, id } as const }
    const body = findReady(ready, { version, scope, ...args }, id)
    if (body) return { rendered: body, entities: 1, ...use }
    const entry = await getLocation(locations, scope, id)
    if (isFault(entry)) return entry
    return { rendered: renderer.renderOne(entry, version, 'location', args.locales), entities: 1, ...use }
  },

  getLocations: async (parts, call) => {
    const { version, scope, query } = call
    const args = version.read.getLocations(query)
    if (isFault(args)) return args
    if (args.externalIds.length > 0) return getExternal(parts, call, args)
    const { bodies, missing, merged } = await readBodies(parts, { version, scope, ...args })
    const rest = {
      ...(missing.length > 0 && { missing_ids: missing.map(toLongJson) }),
      ...(merged.length > 0 && {
        merged_ids: merged.map(({ from, to }) => ({ from: toLongJson(from), to: toLongJson(to) })),
      }),
    }
    return { rendered: renderMany(bodies, rest), entities: bodies.length }
  },

  getCatalogLocation: async ({ locations, renderer }, { version, params, query }) => {
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.getCatalogLocation(query)
    if (isFault(args)) return args
    const entry = await getCatalogLocation(locations, id)
    if (isFault(entry)) return entry
    return { rendered: renderer.renderOne(entry, version, 'catalogLocation', args.locales), entities: 1 }
  },

  listReviews: async ({ locations, reviews, settings, clock }, call) => {
    const { version, scope, params, query } = call
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.listReviews(query)
    if (isFault(args)) return args
    const list = { operation: 'listReviews', call, nowMs: clock.nowMs() } as const
    const position = readPosition(list, args)
    if (isFault(position)) return position
    const { originalsOnly, cursor: _, ...filters } = args
    const found = await listReviews({ locations, reviews }, scope, id, { ...filters, position })
    if (isFault(found)) return found
    const context = { publicUrl: settings.publicUrl, locales: [] }
    const data = found.reviews.map(r => version.present.review(r, found.location, { originalsOnly }, context))
    const { pagination, next } = describePage(list, args, found, settings.publicUrl)
    return { rendered: render({ data, pagination }), entities: data.length, next }
  },
}

/** Returns the locations with ids in other sources. */
async function getExternal(
  parts: LocationParts,
  call: Call,
  { externalIds, locales }: LocationsArgs,
): Promise<OperationResult | Fault> {
  const unavailable = parts.index.notReady()
  if (unavailable) return unavailable
  const { version, scope } = call
  const { entries, missing } = await getByExternalIds(parts, scope, externalIds, callerOf(call))
  const bodies = entries.map(entry => parts.renderer.renderOne(entry, version, 'location', locales))
  const rest = missing.length > 0 ? version.present.missingExternalIds?.(missing) : undefined
  return { rendered: renderMany(bodies, rest ?? {}), entities: bodies.length }
}

/** Creates the handlers of reads by id and of reviews. */
export const createLocationOperations = (parts: LocationParts) => bindParts(parts, handlers)
