import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import { isWholeField, overrideFields } from '../../../domain/override.ts'
import { toSnakeCaseJson } from '../../../kit/to-json.ts'
import { auditLineResource } from '../../../resources/audit.ts'
import { findNeighbours } from '../../../usecases/admin/find-places.ts'
import { type AdminPlace, type DecidedPlace, getDecidedPlace } from '../../../usecases/admin/get-place.ts'
import { locationHistory } from '../../../usecases/admin/location-history.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { mapScripts, mapStyles, mapView } from '../../../web/parts/map.ts'
import { notice } from '../../../web/parts/notice.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { time } from '../../../web/parts/time.ts'
import { closureBadge, ratingText } from '../../../web/place-words.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportList, listFiles, type PageLists } from '../../shared/export.ts'
import { placeName } from '../../shared/places/place-words.ts'
import { type ActorNames, readActorNames } from '../actor-names.ts'
import { idOfPath, placePath, unknownPlace } from './place-path.ts'
import { reviewCard } from './place-reviews.ts'
import { fieldRows, fieldTable, historyTable, toFieldExport } from './place-tables.ts'

const shownNeighbours = 10
const shownHistory = 50

/** Shows a place: its map, the value and origin of each field, reviews and history. */
export async function placePage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { live, places } = context
  const { actor, may } = request
  const id = idOfPath(request)
  if (id === undefined) return unknownPlace
  const place = await getDecidedPlace(places, actor, { id })
  if (isAdminFault(place)) return place
  const nameOf = await readActorNames(context, request)
  const { entry } = place
  if (entry?.id !== id) return endedPage(place, request, nameOf)
  const history = await locationHistory(places, actor, { id, limit: shownHistory })
  const lines = isAdminFault(history) ? [] : history.lines
  const rows = fieldRows({ ...place, entry })
  const lists: PageLists = {
    fields: ['Fields', () => rows.map(toFieldExport)],
    history: ['History', () => lines.map(auditLineResource)],
  }
  const format = exportFormat(request)
  if (format) return exportList(lists, format, request)
  const neighbours = await findNeighbours({ live, locations: places.locations }, actor, {
    entry,
    limit: shownNeighbours,
  })
  const location = entry.location()
  return {
    title: placeName(location),
    trail: [{ path: '/console/places', label: 'Places' }],
    lead: [
      location.categories[0]!.displayName,
      location.geo !== undefined && ` in ${location.geo}`,
      ' ',
      closureBadge(location.status),
    ],
    actions: may('places:write') && [
      buttonLink(linkTo(request.site, `/console/suggestions?place=${id}`), 'Suggestions'),
      buttonLink(placePath(request, id, '/merge'), 'Merge'),
      buttonLink(placePath(request, id, '/remove'), 'Remove', { kind: 'danger' }),
    ],
    scripts: mapScripts,
    styles: mapStyles,
    content: [
      mapAndFacts({ ...place, entry }, neighbours, request),
      card('Fields', fieldTable(rows, entry, request, nameOf)),
      await reviewCard(context, request, entry),
      card('History', historyTable(lines, request.zone, nameOf)),
      html`<details class="same"><summary>The stored record as JSON</summary>
${codeBlock(JSON.stringify(toSnakeCaseJson(location), undefined, 2))}</details>`,
      sameElsewhere({
        cli: `periplus locations show ${id}\nperiplus locations history ${id}`,
        api: `GET /admin/v1/locations/${id}\nGET /admin/v1/locations/${id}/history`,
        files: listFiles(placePath(request, id), lists),
      }),
    ],
  }
}

function mapAndFacts(
  { entry, overrides }: AdminPlace,
  neighbours: readonly LocationEntry[],
  request: PageRequest,
): Html {
  const { site, zone } = request
  const location = entry.location()
  const at = (one: LocationEntry) => {
    const { latitude, longitude } = one.location().coordinates
    return [latitude, longitude] as const
  }
  const name = placeName(location)
  const marker = (one: LocationEntry) => ({
    id: String(one.id),
    at: at(one),
    label: placeName(one.location()),
    kind: 'other' as const,
    href: placePath(request, one.id),
  })
  const map = mapView(
    {
      label: `Map of ${name} and its neighbours`,
      markers: [{ id: String(entry.id), at: at(entry), label: name }, ...neighbours.map(marker)],
      center: at(entry),
      zoom: 14,
    },
    site,
  )
  const ids = location.externalIds?.map(({ source, id }) => html`<div>${source} <code>${id}</code></div>`)
  const about = facts([
    ['Id', html`<code>${String(entry.id)}</code>`],
    ['Source', entry.source],
    ['Other ids', ids],
    ['Country', entry.country],
    ['Time zone', location.timezone ?? location.openingHours?.timezone],
    ['Rating', ratingText(entry.ratings())],
    ['Last change', time(entry.updatedMs, zone)],
    ['Overridden', overrides.length > 0 && `${overrides.length} of ${overrideFields.length} fields`],
    ['Next to it', neighbourList(neighbours, request)],
  ])
  return html`<div class="place-head">${map}${card('About', about)}</div>`
}

const neighbourList = (neighbours: readonly LocationEntry[], request: PageRequest): HtmlValue =>
  neighbours.length > 0 &&
  html`<ul class="plain-list">${neighbours
    .slice(0, 5)
    .map(
      one =>
        html`<li data-place="${String(one.id)}">${link(placePath(request, one.id), placeName(one.location()))}</li>`,
    )}</ul>`

/** Shows a place that was merged into another one, or removed. */
function endedPage({ id, entry, overrides }: DecidedPlace, request: PageRequest, nameOf: ActorNames): PageAnswer {
  const { may, zone } = request
  const decision = overrides.find(({ field }) => isWholeField(field))
  const state = entry
    ? html`This place was merged into <a href="${placePath(request, entry.id)}">${placeName(entry.location())}</a>,
which answers in its stead and has its reviews.`
    : html`This place was removed. It is in no answer, search or feed.`
  return {
    title: `Place ${id}`,
    trail: [{ path: '/console/places', label: 'Places' }],
    content: [
      notice('info', html`<p>${state}</p>`),
      decision
        ? card(
            'The decision',
            facts([
              ['By', nameOf(decision.actor)],
              ['When', time(decision.atMs, zone)],
              ['Reason', decision.reason],
            ]),
            {
              actions: may('places:write') && buttonLink(placePath(request, id, `/fields/${decision.field}`), 'Lift'),
            },
          )
        : html`<p>The source of the place decided this. Only the source can undo it.</p>`,
      sameElsewhere({ cli: `periplus locations show ${id}`, api: `GET /admin/v1/locations/${id}/history` }),
    ],
  }
}
