import { type Html, html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { curlSample } from '../../../web/samples.ts'
import { worldBox } from './find-places.ts'
import type { PlacePages } from './parts.ts'
import { type PlacesState, pageSize } from './query.ts'

/** Returns the call of the API that finds the same places as a page, folded. */
export function sameByApi(query: PlacesState, { settings, version }: PlacePages): Html {
  const call = curlSample({
    publicUrl: settings.publicUrl,
    path: query.text === '' ? '/catalog/locations/nearby' : '/catalog/locations/search',
    query: { ...toApiQuery(query), version: version() },
  })
  return html`<details class="same">
<summary>The same request by API</summary>
${codeBlock(call, 'The call of this page')}</details>
`
}

function toApiQuery(query: PlacesState): Record<string, string> {
  const { categories, minRating, priceLevels, isOpenNow, page } = query
  return {
    ...(query.text === '' ? toArea(query) : toText(query)),
    ...(categories.length > 0 && { category: categories.join() }),
    ...(minRating !== undefined && { min_rating: String(minRating) }),
    ...(priceLevels.length > 0 && { price_level: priceLevels.join() }),
    ...(isOpenNow && { open_now: 'true' }),
    page: String(page),
    size: String(pageSize),
  }
}

const toText = ({ text, near }: PlacesState): Record<string, string> => ({
  query: text,
  ...(near && { lat: String(near.latitude), lon: String(near.longitude) }),
})

function toArea({ near, box }: PlacesState): Record<string, string> {
  if (near && !box)
    return { lat: String(near.latitude), lon: String(near.longitude), radius: '10', unit: 'KM', sort: 'distance,asc' }
  const { south, west, north, east } = box ?? worldBox
  return {
    sw_lat: String(south),
    sw_lon: String(west),
    ne_lat: String(north),
    ne_lon: String(east),
    sort: 'rating,desc',
  }
}
