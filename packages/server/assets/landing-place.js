/** Presentation of places on the landing page. */

import { make, root } from './landing-common.js'

export const languageTag = text => text.language?.replaceAll('_', '-')
export const primaryName = place => place.names.find(name => name.primary) ?? place.names[0]
export const categoryOf = place => place.categories?.[0]?.display_name

/** Returns a badge with the status of a place. */
export function statusBadge({ status }) {
  if (!status) return undefined
  const words = { OPEN: 'open', TEMPORARILY_CLOSED: 'temporarily closed', CLOSED: 'closed' }
  return make('span', { class: `badge ${status.value}` }, words[status.value] ?? status.value)
}

/** Returns street, city and country of a place, as far as known. */
export function addressLine({ addresses: [address] = [] }) {
  if (!address) return ''
  const { street_address: street, city, state, country_name: country, country_code: code } = address
  return [street, city ?? state, country ?? code].filter(Boolean).join(', ')
}

/** Returns the rating of a place with its icon; undefined without one. */
export function ratingOf({ traveler_ratings: ratings }) {
  const overall = ratings?.overall
  if (!overall?.icon_url) return undefined
  // Load the icon from the origin of this page; the public URL of the service may differ.
  const icon = new URL(overall.icon_url.slice(overall.icon_url.indexOf('/icons/') + 1), root)
  return make(
    'span',
    { class: 'rating' },
    make('img', { src: icon.href, alt: `${overall.rating} of 5`, width: '80', height: '16' }),
    `${overall.rating.toFixed(1)} (${overall.count.toLocaleString('en')})`,
  )
}

/** Formats the distance of a place from a point; empty without a point. */
export function distanceText({ coordinates }, from) {
  if (!from || !coordinates) return ''
  const km = kilometres(from, coordinates)
  if (km < 1) return `${Math.round(km * 100) * 10} m`
  return `${km < 100 ? km.toFixed(1) : Math.round(km).toLocaleString('en')} km`
}

/** Returns the great-circle distance of two points in kilometres. */
function kilometres(a, b) {
  const rad = Math.PI / 180
  const h =
    Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2 +
    Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Returns the English one of the given texts, or the first. */
export const preferredText = (texts = []) => texts.find(({ language }) => language?.startsWith('en')) ?? texts[0]

/** Shortens a text to about 400 characters. */
export function shortened(text) {
  return text.length > 420 ? `${text.slice(0, text.lastIndexOf(' ', 400))} …` : text
}

/** Returns a list of the details of a place. */
export function detailsList(place, from) {
  const official = place.urls?.official
  const rows = {
    Category: categoryOf(place),
    Address: addressLine(place),
    Coordinates: place.coordinates && `${place.coordinates.latitude}, ${place.coordinates.longitude}`,
    Distance: distanceText(place, from),
    Hours: place.opening_hours?.formatted?.[0],
    Phone: place.phone_numbers?.map(({ value }) => value).join(', '),
    Web: official && /^https?:/.test(official) ? make('a', { href: official, rel: 'noreferrer' }, official) : undefined,
    Source: place.attributions?.map(({ source, license }) => [source, license].filter(Boolean).join(', ')).join('; '),
  }
  return make(
    'dl',
    {},
    ...Object.entries(rows).flatMap(([name, value]) => (value ? [make('dt', {}, name), make('dd', {}, value)] : [])),
  )
}
