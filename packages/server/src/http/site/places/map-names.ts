import { isFault } from '../../../domain/fault.ts'
import type { Box, QueryCaller } from '../../../domain/search.ts'
import { nearbyCatalog } from '../../../usecases/partner/nearby-locations.ts'
import { nameOf } from '../../../web/place-words.ts'
import type { WebDocument } from '../../wire/http-response.ts'
import { RenderedBody } from '../../wire/rendered.ts'
import type { PlacePages } from './parts.ts'

/** Zoom from which places are named in addition to cities. */
const placeZoom = 13
const maxNames = 60

/** Returns the names that a map shows in a box: the largest cities, and at street level the best-rated places. */
export async function findMapNames(
  parts: PlacePages,
  box: Box,
  zoom: number,
  caller: QueryCaller,
): Promise<WebDocument> {
  const find = async (kind: 'city' | 'place') => {
    const categories =
      kind === 'city' ? (['GEO'] as const) : (['ATTRACTION', 'RESTAURANT', 'HOTEL', 'TRANSPORT'] as const)
    const request = { within: { box }, categories, sort: 'rating', offset: 0, limit: maxNames } as const
    const found = parts.index.notReady() ?? (await nearbyCatalog(parts, request, caller))
    if (isFault(found)) return []
    return found.items.map(({ entry }) => {
      const location = entry.location()
      const { latitude, longitude } = location.coordinates
      return { name: nameOf(location).value, at: [latitude, longitude], kind }
    })
  }
  const names = [...(await find('city')), ...(zoom >= placeZoom ? await find('place') : [])]
  return {
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
    rendered: new RenderedBody(Buffer.from(JSON.stringify({ names }))),
  }
}
