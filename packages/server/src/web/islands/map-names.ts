/** Names on maps: of countries, and from the service's own data of cities and places. */

import { divIcon, type LatLngTuple, type Map as LeafletMap, layerGroup, type Marker, marker } from 'leaflet'
import { listCountryNames } from './map-land.ts'

/** Zooms between which countries are named. */
const countryZooms = [1, 5.5] as const
/** Zoom from which names are loaded from the service. */
const ownZoom = 4.5

/** A name and its kind; the answer of `/places/names.json`. */
interface OwnName {
  readonly name: string
  readonly at: LatLngTuple
  readonly kind: 'city' | 'place'
}

/** Adds names. They keep clear of one another; the more important ones come first. */
export function addNames(leaflet: LeafletMap, files: { readonly names?: string; readonly tiles?: string }): void {
  const layer = layerGroup().addTo(leaflet)
  let own: readonly OwnName[] = []
  let running: AbortController | undefined
  const draw = () => {
    layer.clearLayers()
    const isTaken = createSpace(leaflet)
    const zoom = leaflet.getZoom()
    const countries = zoom >= countryZooms[0] && zoom <= countryZooms[1] ? listCountryNames() : []
    const shown = zoom >= ownZoom ? own : []
    for (const { name, at, kind } of [...shown, ...countries.map(country => ({ ...country, kind: 'country' }))]) {
      if (!leaflet.getBounds().contains(at) || isTaken(name, at)) continue
      const text = document.createElement('span')
      text.textContent = name
      const icon = divIcon({ className: `map-name of-${kind}`, html: text, iconSize: [0, 0] })
      marker(at, { icon, interactive: false, keyboard: false, zIndexOffset: -2000 }).addTo(layer)
    }
  }
  const load = async () => {
    // Tiles have names of their own.
    if (files.names === undefined || files.tiles !== undefined || leaflet.getZoom() < ownZoom) return
    running?.abort()
    running = new AbortController()
    const target = new URL(files.names, location.href)
    const bounds = leaflet.getBounds()
    const box = [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()]
    target.searchParams.set('box', box.map(value => value.toFixed(4)).join())
    target.searchParams.set('zoom', String(Math.floor(leaflet.getZoom())))
    try {
      const response = await fetch(target, { signal: running.signal })
      if (response.ok) own = ((await response.json()) as { readonly names: readonly OwnName[] }).names
      draw()
    } catch {
      // Another move has begun, or the service does not answer: the map stays as it is.
    }
  }
  leaflet.on('moveend', () => {
    draw()
    void load()
  })
  leaflet.on('land', draw)
  draw()
  void load()
}

/** Returns a function that reserves the space of a name; true if another name is there. */
function createSpace(leaflet: LeafletMap): (name: string, at: LatLngTuple) => boolean {
  const boxes: (readonly [number, number, number, number])[] = []
  leaflet.eachLayer(layer => {
    const pin = layer as Marker
    if (pin.options.title === undefined || pin.getElement()?.classList.contains('dot')) return
    const { x, y } = leaflet.latLngToContainerPoint(pin.getLatLng())
    boxes.push([x - 14, y - 34, x + 14, y + 4])
  })
  return (name, at) => {
    const { x, y } = leaflet.latLngToContainerPoint(at)
    const half = name.length * 3.6 + 6
    const box = [x - half, y - 10, x + half, y + 10] as const
    if (boxes.some(other => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]))
      return true
    boxes.push(box)
    return false
  }
}
