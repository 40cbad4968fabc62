import type { LocationEntry } from '../../../domain/location.ts'
import type { OverrideField, OverrideValue } from '../../../domain/override.ts'
import type { Suggestion } from '../../../domain/suggestion.ts'
import { toPlaceRecord } from '../../../usecases/admin/place-record.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { link } from '../../../web/parts/link.ts'
import { type MapMarker, mapView } from '../../../web/parts/map.ts'
import { table } from '../../../web/parts/table.ts'
import { distanceText, kilometresBetween } from '../../../web/place-words.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { fieldLabels, placeName } from '../../shared/places/place-words.ts'
import { describeCurrent, describeSuggested } from '../../shared/suggestions/words.ts'
import { placePath } from '../places/place-path.ts'

type Coordinates = ReturnType<LocationEntry['location']>['coordinates']

/** Returns what a place has and what is suggested side by side, with both positions on a map where they differ. */
export function comparison(
  { places: { readOverride } }: ManagementContext,
  request: PageRequest,
  suggestion: Suggestion,
  { entry, other }: { readonly entry: LocationEntry; readonly other: LocationEntry | undefined },
): HtmlValue {
  if (other) return duplicates(request, entry, other)
  const rows = Object.entries(suggestion.values) as [OverrideField, unknown][]
  if (rows.length === 0) return undefined
  const position = rows.find(([field]) => field === 'coordinates')
  const read = position && readOverride('coordinates', position[1], toPlaceRecord(entry))
  const suggested = read && 'value' in read ? toPosition(read.value) : undefined
  return [
    card(
      'Now and suggested',
      table({
        caption: 'Values now and suggested',
        columns: [
          { label: 'Field', kind: 'name', cell: ([field]) => fieldLabels[field] },
          { label: 'Now', cell: ([field]) => describeCurrent(entry, field) },
          {
            label: 'Suggested',
            cell: ([field, value]) => html`<strong>${describeSuggested(readOverride, entry, field, value)}</strong>`,
          },
        ],
        rows,
      }),
    ),
    suggested && positions(request, entry, { at: suggested, label: 'Suggested position', id: 'suggested' }),
  ]
}

const toPosition = (value: OverrideValue): Coordinates => value as Coordinates

interface OtherPosition extends Pick<MapMarker, 'id' | 'label' | 'href'> {
  readonly at: Coordinates
}

/** Returns a map with the position of a place and another one, and the distance between them. */
function positions({ site }: PageRequest, entry: LocationEntry, { at, ...marker }: OtherPosition): Html {
  const location = entry.location()
  const from = location.coordinates
  const toMap = ({ latitude, longitude }: Coordinates) => [latitude, longitude] as const
  const map = mapView(
    {
      label: `Map of ${placeName(location)} and: ${marker.label}`,
      markers: [
        { id: String(entry.id), at: toMap(from), label: placeName(location) },
        { ...marker, at: toMap(at), kind: 'other' },
      ],
    },
    site,
  )
  return card('On the map', html`<p>${distanceText(kilometresBetween(from, at))} from the position now.</p>${map}`)
}

/** Returns both records of a place, with their distance. */
function duplicates(request: PageRequest, entry: LocationEntry, other: LocationEntry): HtmlValue {
  const fields = ['names', 'category', 'address', 'phones', 'urls', 'coordinates'] as const
  const head = (one: LocationEntry) => link(placePath(request, one.id), placeName(one.location()))
  const at = other.location().coordinates
  const label = placeName(other.location())
  return [
    card(
      'Both records',
      html`<p>Accepting merges ${head(entry)} into ${head(other)}, which stays and answers to both ids.</p>
${table({
  caption: 'Both records',
  columns: [
    { label: 'Field', kind: 'name', cell: field => fieldLabels[field] },
    { label: 'This place', cell: field => describeCurrent(entry, field) },
    { label: 'The place that stays', cell: field => describeCurrent(other, field) },
  ],
  rows: fields,
})}`,
    ),
    positions(request, entry, { at, label, id: String(other.id), href: placePath(request, other.id) }),
  ]
}
