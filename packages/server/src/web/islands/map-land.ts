/** Land and borders of Natural Earth: coarse for the world, fine from zoom 4. */

import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { type GeoJSONOptions, geoJSON, type LatLngTuple, type Layer, type Map as LeafletMap, layerGroup } from 'leaflet'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** Zoom from which the fine coastlines are loaded and shown. */
const fineZoom = 4

type Atlas = Topology<{
  readonly countries: GeometryCollection<{ readonly name: string }>
  readonly land: GeometryCollection
}>

/** The name of a country, where it is written, and its size in square degrees. */
export interface CountryName {
  readonly name: string
  readonly at: LatLngTuple
  readonly size: number
}

const names: CountryName[] = []

/** Returns the names of the countries, the largest first; empty until the land has been loaded. */
export const listCountryNames = (): readonly CountryName[] => names

/** Adds land and borders. They are SVG, so that the stylesheet colours them. */
export function addLand(leaflet: LeafletMap, files: { readonly coarse: string; readonly fine: string }): void {
  leaflet.attributionControl.addAttribution('Natural Earth')
  // Below all other shapes, although it is loaded later.
  leaflet.createPane('land').style.zIndex = '150'
  const loaded = new Map<string, Promise<Layer | undefined>>()
  let shown: Layer | undefined
  const load = (file: string) => {
    const known = loaded.get(file) ?? loadLand(file)
    loaded.set(file, known)
    return known
  }
  const update = async () => {
    const file = leaflet.getZoom() >= fineZoom ? files.fine : files.coarse
    const layer = await load(file)
    const isCurrent = file === (leaflet.getZoom() >= fineZoom ? files.fine : files.coarse)
    if (!layer || !isCurrent || layer === shown) return
    layer.addTo(leaflet)
    shown?.remove()
    shown = layer
  }
  // Until the fine land has arrived, the coarse land is shown.
  void load(files.coarse).then(layer => {
    if (layer && !shown) shown = layer.addTo(leaflet)
    leaflet.fire('land')
    void update()
  })
  leaflet.on('zoomend', () => void update())
}

/** Loads a file of land; undefined if the service does not answer. */
async function loadLand(file: string): Promise<Layer | undefined> {
  try {
    const atlas = (await (await fetch(file)).json()) as Atlas
    if (names.length === 0) names.push(...readNames(atlas))
    const land = drawn(unwrap(feature(atlas, atlas.objects.land)), 'map-land')
    const borders = drawn(
      mesh(atlas, atlas.objects.countries, (a, b) => a !== b),
      'map-border',
    )
    return layerGroup([land, borders])
  } catch {
    return undefined
  }
}

const drawn = (shapes: Geometry | Feature | FeatureCollection, className: string): Layer =>
  geoJSON(
    shapes as Feature,
    { pane: 'land', interactive: false, smoothFactor: 0.8, style: { className } } as GeoJSONOptions,
  )

/** Makes the longitudes of rings that cross the antimeridian continuous: Fiji is at 177 to 182 degrees. */
function unwrap(shapes: Feature | FeatureCollection): typeof shapes {
  for (const { geometry } of 'features' in shapes ? shapes.features : [shapes])
    if (geometry.type === 'MultiPolygon') for (const ring of geometry.coordinates.flat()) unwrapRing(ring)
  return shapes
}

function unwrapRing(ring: number[][]): void {
  // The ring of Antarctica follows the edge of the map.
  if (ring.some(([, latitude]) => latitude! < -85)) return
  for (let i = 1; i < ring.length; i++) {
    const turns = Math.round((ring[i - 1]![0]! - ring[i]![0]!) / 360)
    if (turns !== 0) ring[i] = [ring[i]![0]! + 360 * turns, ring[i]![1]!]
  }
}

function readNames(atlas: Atlas): CountryName[] {
  const { features } = unwrap(feature(atlas, atlas.objects.countries)) as FeatureCollection<Geometry, { name: string }>
  return (
    features
      .flatMap(({ geometry, properties }) => {
        if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return []
        const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
        const rings = parts.map(([outer]) => measure(outer!)).sort((a, b) => b.size - a.size)
        return [{ name: properties.name, ...rings[0]! }]
      })
      // No places are there, and the names are long.
      .filter(({ at }) => at[0] > -49)
      .sort((a, b) => b.size - a.size)
  )
}

/** Returns the centre and area of a ring in square degrees (shoelace formula). */
function measure(ring: readonly (readonly number[])[]): Omit<CountryName, 'name'> {
  let [area, x, y] = [0, 0, 0]
  for (let i = 0; i < ring.length - 1; i++) {
    const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [ring[i]!, ring[i + 1]!]
    const cross = ax * by - bx * ay
    area += cross / 2
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  if (area === 0) return { at: [ring[0]![1]!, ring[0]![0]!], size: 0 }
  return { at: [y / (6 * area), x / (6 * area)], size: Math.abs(area) }
}
