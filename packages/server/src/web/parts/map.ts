import { type Html, html } from '../html.ts'
import { assetLink, linkTo, type Site } from '../site.ts'

/** Latitude and longitude in degrees. */
export type MapPosition = readonly [latitude: number, longitude: number]

/** A pin of a map. */
export interface MapMarker {
  /** Links the pin with the element of the page that has `data-place` with this value: pointing at one marks both. */
  readonly id: string
  readonly at: MapPosition
  /** Shown when a reader points at the pin. */
  readonly label: string
  /** Text on the pin, such as its number in the list next to the map. */
  readonly mark?: string
  /** Address that a click opens. */
  readonly href?: string
  /** `main` is a place of the page, `other` a neighbour of it, `dot` one of very many. Default: `main`. */
  readonly kind?: 'main' | 'other' | 'dot'
}

/** Many positions that need no name, such as the rows of an import. */
export interface MapPoints {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly at: readonly MapPosition[]
}

/** A map. */
export interface MapView {
  /** Says to screen readers what the map shows; the same facts must be in the text of the page. */
  readonly label: string
  readonly markers?: readonly MapMarker[]
  readonly points?: readonly MapPoints[]
  /** The part of the world that is shown first. Default: all markers and points. */
  readonly center?: MapPosition
  readonly zoom?: number
  /** Box that is shown first: south, west, north, east. */
  readonly box?: readonly [number, number, number, number]
  /** Id of a form whose fields `latitude` and `longitude` follow the first marker, which can be dragged. */
  readonly drag?: string
  /**
   * True if the map fills the window; others zoom with buttons only, so that a page scrolls over them. Default: false.
   */
  readonly fills?: boolean
}

/** Files that a page with a map names in `scripts` and `styles`. */
export const mapScripts: readonly string[] = ['map.js']
export const mapStyles: readonly string[] = ['leaflet.css']

/**
 * Returns a map of the world with markers: `mapView({ label: 'Map of Prado', markers: [{ id: '7', at: [40.4, -3.7],
 * label: 'Prado' }] }, site)`. The page must load `mapScripts` and `mapStyles`. Scripts get the map with `mapOf` of
 * islands/map.ts.
 */
export function mapView({ label, fills, ...view }: MapView, site: Site): Html {
  const files = {
    coarse: assetLink(site, 'countries-110m.json'),
    fine: assetLink(site, 'countries-50m.json'),
    ...(site.has.places && { names: linkTo(site, '/places/names.json') }),
    ...site.map,
  }
  return html`<div class="map${fills && ' fills'}" role="region" aria-label="${label}"
data-map="${JSON.stringify({ ...view, fills, files })}"></div>
`
}
