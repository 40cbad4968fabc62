import { isFault } from '../../../domain/fault.ts'
import { getGeo } from '../../../usecases/partner/get-geo.ts'
import { presentAncestor } from '../../../versions/primitives/geos.ts'
import { bindParts, type HandlerTable } from '../call.ts'
import { render } from '../render.ts'
import { describePage, readPosition } from './pagination.ts'
import { callerOf, type SearchParts } from './search.ts'

const handlers: HandlerTable<SearchParts, 'getGeo'> = {
  getGeo: async ({ index, locations, renderer, clock, settings }, call) => {
    const { version, scope, params, query } = call
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.getGeo(query)
    if (isFault(args)) return args
    const list = { operation: 'getGeo', call, nowMs: clock.nowMs() } as const
    const position = readPosition(list, args)
    if (isFault(position)) return position
    const unavailable = index.notReady()
    if (unavailable) return unavailable
    const { page, size, locales } = args
    const request = { id, offset: (page - 1) * size, limit: size, position, languages: locales }
    const found = await getGeo({ index, locations }, scope, request, callerOf(call))
    if (isFault(found)) return found
    const place = renderer.present(found.location, version, 'location', locales)
    const own = version.present.geo?.(place, found.ancestors)
    if (own) return { rendered: render({ data: own }), entities: 1 }
    const { pagination, next } = describePage(list, args, found, settings.publicUrl)
    const data = {
      location: place,
      ...unlessEmpty('ancestors', found.ancestors.map(presentAncestor)),
      ...unlessEmpty('categories', found.categories.map(version.present.listedCategory)),
      ...unlessEmpty(
        'children',
        found.items.map(({ entry }) => renderer.present(entry, version, 'catalogLocation', locales)),
      ),
    }
    return { rendered: render({ data, pagination }), entities: 1, next }
  },
}

/** Returns a member with a list, or nothing for an empty one. */
const unlessEmpty = (name: string, list: readonly object[]) => (list.length > 0 ? { [name]: list } : {})

/** Creates the handler of cities, regions and countries. */
export const createGeoOperations = (parts: SearchParts) => bindParts(parts, handlers)
