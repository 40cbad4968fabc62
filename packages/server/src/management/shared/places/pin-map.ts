import type { LocationEntry } from '../../../domain/location.ts'
import { type Html, html } from '../../../web/html.ts'
import { mapView } from '../../../web/parts/map.ts'
import type { Site } from '../../../web/site.ts'
import { placeName } from './place-words.ts'

/** Returns the map on which the pin of a place can be dragged; `drag` is the id of the form that follows it. */
export function pinMap(entry: LocationEntry, site: Site, drag: string): Html {
  const location = entry.location()
  const { latitude, longitude } = location.coordinates
  const name = placeName(location)
  return html`<p>Drag the pin, or enter the coordinates.</p>${mapView(
    {
      label: `Map of ${name}`,
      markers: [{ id: String(entry.id), at: [latitude, longitude], label: name }],
      zoom: 15,
      center: [latitude, longitude],
      drag,
    },
    site,
  )}`
}
