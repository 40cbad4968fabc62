import { type TopLevelCategory, topLevelCategories, topLevelNames } from '../../../domain/category.ts'
import { type LocationEntry, priceLevels } from '../../../domain/location.ts'
import { attribute, type Html, html } from '../../../web/html.ts'
import { icon } from '../../../web/icon.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { foldedFilters } from '../../../web/parts/form.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { type MapView, mapScripts, mapStyles, mapView } from '../../../web/parts/map.ts'
import { formatCount } from '../../../web/parts/number.ts'
import {
  addressOf,
  categoryOf,
  closureBadge,
  englishOrFirst,
  localText,
  nameOf,
  priceNames,
} from '../../../web/place-words.ts'
import { linkTo, type Site } from '../../../web/site.ts'
import { type PlacesFound, totalText } from './find-places.ts'
import { ignoredNotice, type Option, pageLinks, select } from './list-controls.ts'
import type { PlacePages } from './parts.ts'
import { placeItem, placeLink, placeMarker, ratingAndHours } from './place-item.ts'
import { changeQuery, hasFilters, type PlacesState, pageSize, placesSearch } from './query.ts'
import { sameByApi } from './same-by-api.ts'

/** Icons of the categories on chips. */
const categoryIcons: Readonly<Record<TopLevelCategory, string>> = {
  HOTEL: 'building',
  RESTAURANT: 'cup-hot',
  ATTRACTION: 'camera',
  GEO: 'globe2',
  TRANSPORT: 'airplane',
  OTHER: 'three-dots',
}

/** Returns the page with search, list and map. `chosen` is the place of the panel. */
export function toListPage(
  query: PlacesState,
  found: PlacesFound,
  chosen: LocationEntry | undefined,
  parts: PlacePages,
): LayoutPage {
  const { site } = parts.settings
  const first = (query.page - 1) * pageSize
  const markOf = (i: number) => String(first + i + 1)
  const markers = found.places.map(({ entry }, i) => placeMarker(entry, markOf(i), parts))
  const isListed = chosen && found.places.some(({ entry }) => entry.id === chosen.id)
  const items = found.places.map((place, i) => placeItem(place, markOf(i), parts))
  const list = html`<h2 class="unseen">Places found</h2>\n<ol class="place-list" start="${first + 1}">\n${items}</ol>`
  const { near, box } = query
  const view: MapView = {
    label: 'Map of the places found',
    fills: true,
    markers: chosen && !isListed ? [...markers, placeMarker(chosen, '', parts)] : markers,
    ...(near && markers.length === 0 && { center: [near.latitude, near.longitude], zoom: 12 }),
    ...(box && query.text === '' && { box: [box.south, box.west, box.north, box.east] }),
    ...boxOfRecommended(found),
  }
  return {
    title: query.text === '' ? 'Places' : `${query.text} · Places`,
    path: '/places',
    description: `Search places and their reviews on ${site.name}.`,
    showsTitle: false,
    width: 'wide',
    styles: mapStyles,
    scripts: [...mapScripts, 'places.js'],
    content: html`<div class="places">
<div class="places-list">
<h1 class="unseen">Places</h1>
${searchForm(query, site)}
<div id="results">
${resultsHead(query, found, site)}
${found.places.length === 0 ? nothingFound(query, site) : list}
${pages(query, found, site)}${sameByApi(query, parts)}</div>
</div>
<div class="places-map">
<button type="button" id="search-area" class="primary" hidden>${icon('search')} Search this area</button>
${mapView(view, site)}
<div id="chosen-place">${chosen && chosenPanel(query, chosen, parts)}</div>
</div>
</div>
`,
  }
}

/** Returns the box of recommended places, which are in one destination; places that match by name may be far away. */
function boxOfRecommended({ places }: PlacesFound): Pick<MapView, 'box'> {
  const at = places.filter(place => place.isRecommended).map(({ entry }) => entry.location().coordinates)
  if (at.length < 2) return {}
  const latitudes = at.map(({ latitude }) => latitude)
  const longitudes = at.map(({ longitude }) => longitude)
  const [south, north] = widen(Math.min(...latitudes), Math.max(...latitudes))
  const [west, east] = widen(Math.min(...longitudes), Math.max(...longitudes))
  return { box: [south, west, north, east] }
}

/** Returns a range with a margin for the pins at its ends, in degrees. */
function widen(low: number, high: number): readonly [number, number] {
  const margin = Math.max((high - low) * 0.1, 0.001)
  return [low - margin, high + margin]
}

const linkOf = (query: PlacesState, site: Site): string => linkTo(site, `/places${placesSearch(query)}`)

const hiddenInput = (name: string, value: string | undefined): Html | undefined =>
  value === undefined || value === '' ? undefined : html`<input type="hidden" name="${name}" value="${value}">`

function searchForm(query: PlacesState, site: Site): Html {
  const { text, categories, minRating, near, isOpenNow, priceLevels: prices } = query
  const ratings = [3, 3.5, 4, 4.5].map((value): Option => [String(value), `${value} or more`])
  const levels = priceLevels.map((level): Option => [level.toLowerCase(), priceNames[level]])
  const hasFilter = isOpenNow || minRating !== undefined || prices.length > 0
  const hidden = [
    hiddenInput('category', categories.map(value => value.toLowerCase()).join()),
    hiddenInput('near', near && `${near.latitude},${near.longitude}`),
  ]
  const placeholder = 'A place, a category, or “romantic dinner in Madrid”'
  return html`<search><form class="place-search" id="search" method="get" action="${linkTo(site, '/places')}">
<div class="search-field">${icon('search')}<label class="unseen" for="q">Search places</label>
<input type="search" id="q" name="q" value="${text}" maxlength="500" autocomplete="off"
placeholder="${placeholder}" aria-keyshortcuts="/">
<button class="primary">Search</button></div>
${hidden}
${chips(query, site)}
${foldedFilters(
  html`<div class="filter-fields">
${select('Rating', 'min_rating', [['', 'Any'], ...ratings], String(minRating ?? ''))}
${select('Price', 'price', [['', 'Any'], ...levels], prices[0]?.toLowerCase() ?? '')}
<label class="check-label"><input type="checkbox" name="open" value="now"${attribute('checked', isOpenNow)}> Open
now</label>
<button type="button" id="near-me" hidden>${icon('geo-alt')} Near me</button>
</div>`,
  hasFilter,
)}</form></search>
`
}

/** Returns a link for each category; the chosen one leads back to all. */
const chips = (query: PlacesState, site: Site): Html => html`<ul class="chips" id="chips" aria-label="Categories">
${topLevelCategories.map(category => {
  const isChosen = query.categories.includes(category)
  const href = linkOf(changeQuery(query, { categories: isChosen ? [] : [category] }), site)
  return chip(category, href, isChosen)
})}</ul>
`

function chip(category: TopLevelCategory, href: string, isChosen = false): Html {
  const current = attribute('aria-current', isChosen && 'true')
  const label = html`${icon(categoryIcons[category])} ${topLevelNames[category]}`
  return html`<li><a class="chip" href="${href}"${current}>${label}</a></li>
`
}

/** Returns a link to the best-rated places of each category. */
export const categoryLinks = (site: Site): Html => html`<ul class="chips" aria-label="Categories">
${topLevelCategories.map(one => chip(one, linkTo(site, `/places?category=${one.toLowerCase()}`)))}</ul>
`

function resultsHead(query: PlacesState, found: PlacesFound, site: Site): Html {
  const { kind, total, places } = found
  const recommended = places.filter(place => place.isRecommended).length
  const others = total > 0 ? `, then ${totalText(found)} with matching names` : ''
  const what = {
    text: recommended === 0 ? totalText(found) : formatCount(recommended, 'recommended place') + others,
    area: `${totalText(found)} in this area, best rated first`,
    near: `${totalText(found)} within 10 km, nearest first`,
    best: `${totalText(found)}, best rated first`,
  }[kind]
  const link = (change: Parameters<typeof changeQuery>[1], label: string) =>
    html` <a href="${linkOf(changeQuery(query, change), site)}">${label}</a>`
  const wider = [
    query.near && link({ near: undefined }, 'Search anywhere'),
    query.box && link({ box: undefined }, 'Search outside this area'),
  ]
  return html`${ignoredNotice(query.ignored)}
<p class="results-head"><span role="status" id="count">${what}</span>${wider}</p>
`
}

/** Returns the understood query and three other searches. */
function nothingFound(query: PlacesState, site: Site): Html {
  const { text, categories, near, box, isOpenNow, minRating } = query
  const words = text.split(/\s+/).filter(word => word !== '')
  const understood = [
    ...(text === '' ? [] : [`the text “${text}”`]),
    ...categories.map(category => `the category ${topLevelNames[category]}`),
    ...(isOpenNow ? ['open now'] : []),
    ...(minRating === undefined ? [] : [`a rating of ${minRating} or more`]),
    ...(query.priceLevels.length > 0 ? ['a price'] : []),
    ...(near ? ['near you'] : []),
    ...(box ? ['in the area of the map'] : []),
  ]
  const plain = { categories: [], isOpenNow: false, minRating: undefined, priceLevels: [] }
  const others: readonly (readonly [string, PlacesState] | false)[] = [
    query.page > 1 && ['The first page of these results', changeQuery(query, {})],
    hasFilters(query) && ['The same search without filters', changeQuery(query, plain)],
    (near || box) !== undefined && [
      'The same search anywhere',
      changeQuery(query, { near: undefined, box: undefined }),
    ],
    words.length > 1 && [
      `“${words.slice(0, -1).join(' ')}”`,
      changeQuery(query, { ...plain, text: words.slice(0, -1).join(' ') }),
    ],
    words.length > 1 && [`“${words.at(-1)}”`, changeQuery(query, { ...plain, text: words.at(-1) })],
    ['The best-rated attractions', changeQuery(query, { ...plain, ...nowhere, categories: ['ATTRACTION'] })],
    ['The best-rated hotels', changeQuery(query, { ...plain, ...nowhere, categories: ['HOTEL'] })],
    ['The largest cities', changeQuery(query, { ...plain, ...nowhere, categories: ['GEO'] })],
  ]
  const offered = others.filter(other => other !== false).slice(0, 3)
  const items = offered.map(([label, other]) => html`<li><a href="${linkOf(other, site)}">${label}</a></li>`)
  return html`<div class="empty">${icon('search')}<h2>No places found</h2>
<p>Searched for ${understood.length === 0 ? 'all places' : understood.join(', ')}.</p>
<p>Try instead:</p>
<ul class="plain-list">${items}</ul></div>
`
}

const nowhere = { text: '', near: undefined, box: undefined }

function pages(query: PlacesState, { total, places }: PlacesFound, site: Site): Html | undefined {
  const hasNext = query.page * pageSize < total && places.length > 0
  return pageLinks(query.page, hasNext, page => linkOf(changeQuery(query, { page }), site))
}

/** Returns the chosen place over the map: a panel on wide windows, a sheet at the bottom of a phone. */
function chosenPanel(query: PlacesState, entry: LocationEntry, parts: PlacePages): Html {
  const { site } = parts.settings
  const location = entry.location()
  const description = englishOrFirst(location.descriptions)
  const text =
    description && html`<p class="sheet-text"${attribute('lang', description.language)}>${description.value}</p>`
  const subtitle = [categoryOf(location), addressOf(location)].filter(Boolean).join(' · ')
  const path = placeLink(entry, parts)
  const listLink = linkOf(changeQuery(query, { page: query.page }), site)
  const sizeLabel = html`${icon('arrows-expand')} <span>Full height</span>`
  const sizeButton = html`<button type="button" id="sheet-size" aria-expanded="false">${sizeLabel}</button>`
  return html`<section class="sheet" aria-labelledby="chosen-title" data-place="${String(entry.id)}">
<div class="sheet-bar">${sizeButton}
<a class="button" id="sheet-close" href="${listLink}">${icon('x-lg')} Close</a></div>
<h2 id="chosen-title" tabindex="-1">${localText(nameOf(location))}</h2>
<p>${closureBadge(location.status)} <span class="quiet">${subtitle}</span></p>
${ratingAndHours(entry, parts)}${text}
<p class="buttons">${buttonLink(path, 'Open the page', { kind: 'primary' })}
${buttonLink(`${path}/reviews`, 'Reviews')}</p>
</section>
`
}
