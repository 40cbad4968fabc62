import type { LocationEntry } from '../../../domain/location.ts'
import { type Html, html } from '../../../web/html.ts'
import { icon } from '../../../web/icon.ts'
import type { MapMarker } from '../../../web/parts/map.ts'
import {
  addressOf,
  categoryOf,
  closureBadge,
  distanceText,
  localText,
  nameOf,
  openingText,
  ratingText,
} from '../../../web/place-words.ts'
import { linkTo } from '../../../web/site.ts'
import type { FoundPlace } from './find-places.ts'
import type { PlacePages } from './parts.ts'

type Words = Pick<PlacePages, 'zoneAt' | 'clock' | 'settings'>

/** Returns a place as an item of a list. `mark` is its number on the map. */
export function placeItem({ entry, distanceKm, snippet }: FoundPlace, mark: string, parts: Words): Html {
  const location = entry.location()
  const where = [categoryOf(location), addressOf(location)].filter(Boolean).join(' · ')
  return html`<li class="place" data-place="${String(entry.id)}"><span class="place-mark"
aria-hidden="true">${mark}</span><div>
<h3><a href="${placeLink(entry, parts)}">${localText(nameOf(location))}</a> ${closureBadge(location.status)}</h3>
<p class="quiet small">${where}${distanceKm !== undefined && html` · ${distanceText(distanceKm)}`}</p>
${ratingAndHours(entry, parts)}${snippet !== undefined && html`<p class="snippet small">${snippet}</p>`}</div></li>
`
}

/** Returns the rating and the opening state of a place, as far as known. */
export function ratingAndHours(entry: LocationEntry, { zoneAt, clock }: Words): Html {
  const location = entry.location()
  const rating = ratingText(entry.ratings(location))
  const hours = openingText(location, zoneAt, clock.nowMs())
  if (rating === undefined && hours === undefined) return html``
  return html`<p class="small rating-line">${
    rating !== undefined &&
    html`<span>${icon('star-fill')}
${rating}</span>`
  }${hours !== undefined && html`<span>${icon('clock')} ${hours}</span>`}</p>
`
}

/** Returns the address of the page of a place. */
export const placeLink = ({ id }: Pick<LocationEntry, 'id'>, { settings: { site } }: Words): string =>
  linkTo(site, `/places/${id}`)

/** Returns the marker of a place. */
export function placeMarker(entry: LocationEntry, mark: string, parts: Words): MapMarker {
  const location = entry.location()
  const { latitude, longitude } = location.coordinates
  return {
    id: String(entry.id),
    at: [latitude, longitude],
    label: nameOf(location).value,
    ...(mark !== '' && { mark }),
    href: placeLink(entry, parts),
  }
}
