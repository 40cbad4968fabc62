import type { Location, LocationEntry } from '../../../domain/location.ts'
import type { RatingSummary } from '../../../domain/ratings.ts'
import type { Review } from '../../../domain/review.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { icon } from '../../../web/icon.ts'
import { codeBlock, samples } from '../../../web/parts/code.ts'
import { type Fact, facts } from '../../../web/parts/facts.ts'
import { mapScripts, mapStyles, mapView } from '../../../web/parts/map.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import {
  addressOf,
  categoryOf,
  closureBadge,
  englishOrFirst,
  localText,
  nameOf,
  openingText,
  priceNames,
  ratingText,
  webLink,
} from '../../../web/place-words.ts'
import { callSamples } from '../../../web/samples.ts'
import { linkTo, type Site } from '../../../web/site.ts'
import type { PublicPage } from '../page.ts'
import type { FoundPlace } from './find-places.ts'
import { openingHours } from './opening-hours-table.ts'
import type { PlacePages } from './parts.ts'
import { placeItem, placeLink, placeMarker } from './place-item.ts'
import { ratingBars } from './rating-bars.ts'
import { reviewItem } from './review-item.ts'

/** The parts of a place's page in addition to the place. */
export interface PlaceSurroundings {
  readonly nearby: readonly FoundPlace[]
  readonly reviews: readonly Review[]
  readonly totalReviews: number
}

/** Returns the page of a place. */
export function toPlacePage(entry: LocationEntry, context: PlaceSurroundings, parts: PlacePages): PublicPage {
  const { site } = parts.settings
  const location = entry.location()
  const name = nameOf(location)
  const ratings = entry.ratings(location)
  const subtitle = [categoryOf(location), addressOf(location)].filter(Boolean).join(' · ')
  const description = [subtitle, ratingText(ratings)].filter(Boolean).join('. ')
  const markers = [
    placeMarker(entry, '', parts),
    ...context.nearby.map((place, i) => ({
      ...placeMarker(place.entry, String(i + 1), parts),
      kind: 'other' as const,
    })),
  ]
  return {
    title: name.value,
    path: '/places',
    ownPath: `/places/${entry.id}`,
    description,
    trail: [{ path: '/places', label: 'Places' }],
    showsTitle: false,
    styles: mapStyles,
    scripts: [...mapScripts, 'samples.js'],
    content: [
      html`<div class="title"><div><h1>${localText(name)} ${closureBadge(location.status)}</h1>
<p class="lead">${subtitle}</p>${ratingLine(entry, parts)}</div></div>`,
      html`<div class="place-columns">
<div class="place-main">
${texts(location)}${ratingBars(ratings)}${openingHours(location, parts)}
${reviewSection(entry, context, parts)}</div>
<div class="place-side">
${mapView({ label: `Map of ${name.value} and its surroundings`, markers }, site)}
${facts(placeFacts(location))}${suggestLink(entry, site)}</div>
${nearbySection(context, parts)}
</div>`,
      otherNames(location),
      attributions(location),
      apiSection(entry, parts),
    ],
  }
}

function nearbySection({ nearby }: PlaceSurroundings, parts: PlacePages): Html | false {
  const items = nearby.map((place, i) => placeItem(place, String(i + 1), parts))
  return items.length > 0 && html`<div class="place-near"><h2>Nearby</h2>\n<ol class="place-list">\n${items}</ol></div>`
}

function ratingLine(entry: LocationEntry, { zoneAt, clock }: PlacePages): Html {
  const location = entry.location()
  const rating = ratingText(entry.ratings(location))
  const open = openingText(location, zoneAt, clock.nowMs())
  const { priceLevel } = location
  const parts = [
    rating !== undefined && html`<a href="#reviews">${icon('star-fill')} ${rating}</a>`,
    open !== undefined && html`<span>${icon('clock')} <strong>${open}</strong></span>`,
    priceLevel !== undefined && html`<span>${icon('tag')} ${priceNames[priceLevel]}</span>`,
  ]
  return html`<p class="rating-line">${parts}</p>
`
}

function texts({ descriptions = [] }: Location): Html | undefined {
  const first = englishOrFirst(descriptions)
  if (!first) return undefined
  const others = descriptions.filter(text => text !== first)
  const paragraph = ({ language, value }: typeof first) =>
    html`<p${language !== undefined && html` lang="${language}"`}>${value}</p>\n`
  return html`${paragraph(first)}${
    others.length > 0 &&
    html`<details><summary>In other languages</summary>
\n${others.map(paragraph)}</details>\n`
  }`
}

function placeFacts(location: Location): readonly Fact[] {
  const { addresses = [], phoneNumbers = [], urls, officialEmail, accommodation, attributes = [] } = location
  const link = (url: string | undefined, label: string): HtmlValue => {
    const href = webLink(url)
    return href !== undefined && html`<a href="${href}" rel="noreferrer nofollow">${label}</a>`
  }
  const { latitude, longitude } = location.coordinates
  return [
    ['Address', addresses[0]?.formatted ?? (addressOf(location) || undefined)],
    ['Phone', phoneNumbers.length > 0 && phoneNumbers.map(({ value }) => value).join(', ')],
    ['E-mail', officialEmail !== undefined && html`<a href="mailto:${officialEmail}">${officialEmail}</a>`],
    ['Website', urls?.official !== undefined && link(urls.official, hostOf(urls.official))],
    ['Menu', link(urls?.menu, 'Menu')],
    ['Price', location.priceLevel && priceNames[location.priceLevel]],
    ['Stars', accommodation?.starRating],
    ['Rooms', accommodation?.roomCount !== undefined && formatNumber(accommodation.roomCount)],
    ['Population', location.population !== undefined && formatNumber(location.population)],
    ['Features', attributes.length > 0 && attributes.map(({ name }) => name).join(', ')],
    ['Coordinates', `${latitude}, ${longitude}`],
  ]
}

/** Returns the link to the form of the portal that suggests a change (R-170). */
const suggestLink = (entry: LocationEntry, site: Site): Html | false =>
  site.has.portal &&
  html`<p><a href="${linkTo(site, `/portal/suggest/${entry.id}`)}" rel="nofollow">${icon('pencil-square')} Suggest an
edit</a></p>
`

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : url)

const reviewSection = (
  entry: LocationEntry,
  { reviews, totalReviews }: PlaceSurroundings,
  parts: PlacePages,
): Html => html`
<h2 id="reviews">Reviews</h2>
${
  reviews.length === 0
    ? html`<p class="quiet">No reviews yet.</p>`
    : html`<ol class="reviews">\n${reviews.map(review => reviewItem(review, parts.settings.site.zone))}</ol>
<p><a class="button" href="${placeLink(entry, parts)}/reviews">All ${formatNumber(totalReviews)} reviews</a></p>`
}
`

function otherNames({ names }: Location): Html | undefined {
  const primary = nameOf({ names } as Location)
  const others = names.filter(name => name !== primary)
  if (others.length === 0) return undefined
  return html`<h2>Other names</h2>
<ul class="names">${others.map(
    name =>
      html`<li>${localText(name)}${
        name.language !== undefined &&
        html`
<span class="quiet small">${name.language}</span>`
      }</li>\n`,
  )}</ul>
`
}

const attributions = ({ attributions: list = [] }: Location): Html | undefined =>
  list.length === 0
    ? undefined
    : html`<h2>Sources</h2>
<ul>${list.map(({ source, license, url }) => {
        const href = webLink(url)
        const text = [source, license].filter(Boolean).join(', ')
        return html`<li>${href === undefined ? text : html`<a href="${href}" rel="noreferrer">${text}</a>`}</li>\n`
      })}</ul>
`

function apiSection(entry: LocationEntry, parts: PlacePages): Html {
  const { publicUrl, site } = parts.settings
  const call = { publicUrl, path: `/locations/${entry.id}`, query: { version: parts.version() } }
  return html`<section aria-labelledby="api"><h2 id="api">This place in the API</h2>
<p>The same data with one call. The <a href="${linkTo(site, '/docs')}">reference</a> explains each member.</p>
${samples(callSamples(call))}
<details class="json"><summary>Show the JSON</summary>
${codeBlock(parts.toJson(entry))}</details></section>
`
}

/** Returns the ratings of a place that a page shows; exported for the page of its reviews. */
export const ratingsOf = (entry: LocationEntry): RatingSummary | undefined => entry.ratings(entry.location())
