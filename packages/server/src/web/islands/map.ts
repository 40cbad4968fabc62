/** Maps: land, borders and names, markers that are linked with the elements of the page, and optional tiles. */

import {
  circleMarker,
  map as createLeafletMap,
  marker as createMarker,
  type LatLngTuple,
  type Map as LeafletMap,
  latLngBounds,
  layerGroup,
  type Marker,
  tileLayer,
} from 'leaflet'
import { addDrag } from './map-drag.ts'
import { addLand } from './map-land.ts'
import { addNames } from './map-names.ts'
import { createPin } from './map-pins.ts'

/** A pin; see parts/map.ts. */
export interface MarkerData {
  readonly id: string
  readonly at: LatLngTuple
  readonly label: string
  readonly mark?: string
  readonly href?: string
  readonly kind?: 'main' | 'other' | 'dot'
}

/** The attribute `data-map`; see parts/map.ts. */
export interface MapData {
  readonly markers?: readonly MarkerData[]
  readonly points?: readonly { readonly tone: string; readonly at: readonly LatLngTuple[] }[]
  readonly center?: LatLngTuple
  readonly zoom?: number
  readonly box?: readonly [number, number, number, number]
  readonly drag?: string
  readonly fills?: boolean
  readonly files: {
    readonly coarse: string
    readonly fine: string
    readonly names?: string
    readonly tiles?: string
    readonly attribution?: string
  }
}

/** A map of the page. */
export interface PlaceMap {
  readonly leaflet: LeafletMap
  /** Replaces the markers; shows them all unless `keepsView` is true. */
  show(markers: readonly MarkerData[], keepsView?: boolean): void
  /** Marks one marker; none without an id. */
  highlight(id?: string): void
  /** Returns a marker of the map. */
  find(id: string): MarkerData | undefined
  /** Shows a position at a zoom of at least `zoom`. */
  goTo(at: LatLngTuple, zoom?: number): void
  /** Shows a box: south, west, north, east. */
  showBox(box: readonly [number, number, number, number]): void
  /** Returns the box that is visible: south, west, north, east. */
  box(): [number, number, number, number]
  /** Calls `then` with the id of a marker that is clicked; it returns true to suppress the link of the marker. */
  onChoose(then: (id: string) => boolean): void
  /** Calls `then` after the reader, not a script, has moved the map. */
  onMoved(then: () => void): void
}

const world: [LatLngTuple, LatLngTuple] = [
  [-58, -168],
  [76, 180],
]
/** Zoom at which a single place is shown. */
const placeZoom = 13

const maps = new WeakMap<Element, PlaceMap>()

/** Returns the map of an element. */
export const mapOf = (element: Element): PlaceMap | undefined => maps.get(element)

function openMap(element: HTMLElement): PlaceMap {
  const data = JSON.parse(element.dataset.map!) as MapData
  const leaflet = createLeafletMap(element, {
    attributionControl: true,
    maxBounds: [
      [-88, -200],
      [88, 200],
    ],
    maxBoundsViscosity: 0.9,
    minZoom: 1,
    maxZoom: 19,
    zoomSnap: 0.5,
    scrollWheelZoom: data.fills === true,
    dragging: data.fills === true || !matchMedia('(pointer: coarse)').matches,
    zoomAnimation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  })
  leaflet.attributionControl.setPrefix(false)
  const opened = createPlaceMap(leaflet)
  showFirst(leaflet, data)
  if (data.files.tiles !== undefined) addTiles(leaflet, data.files.tiles, data.files.attribution)
  else addLand(leaflet, data.files)
  addPoints(leaflet, data)
  opened.show(data.markers ?? [], true)
  addNames(leaflet, data.files)
  if (data.drag !== undefined) addDrag(leaflet, data.drag)
  linkWithPage(opened)
  return opened
}

/** Shows the part of the world that the page asks for. */
function showFirst(leaflet: LeafletMap, { center, zoom, box, markers = [], points = [] }: MapData): void {
  const all = [...markers.map(({ at }) => at), ...points.flatMap(({ at }) => at)]
  if (center) leaflet.setView(center, zoom ?? placeZoom)
  else if (box) fitBox(leaflet, box)
  else if (all.length > 0) fit(leaflet, all)
  else leaflet.fitBounds(world)
}

const fitBox = (leaflet: LeafletMap, [south, west, north, east]: readonly [number, number, number, number]): unknown =>
  leaflet.fitBounds([
    [south, west],
    [north, east],
  ])

const fit = (leaflet: LeafletMap, all: readonly LatLngTuple[]): unknown =>
  leaflet.fitBounds(latLngBounds([...all]), { padding: [32, 32], maxZoom: placeZoom + 4 })

/** Adds the operator's tiles. Their attribution is text, not markup. */
function addTiles(leaflet: LeafletMap, url: string, attribution = ''): void {
  const text = document.createElement('span')
  text.textContent = attribution
  tileLayer(url, { maxZoom: 19, attribution: text.innerHTML }).addTo(leaflet)
}

function addPoints(leaflet: LeafletMap, { points = [] }: MapData): void {
  for (const { tone, at } of points)
    for (const position of at)
      circleMarker(position, { radius: 4, weight: 1, className: `map-point ${tone}`, interactive: false }).addTo(
        leaflet,
      )
}

function createPlaceMap(leaflet: LeafletMap): PlaceMap {
  const layer = layerGroup().addTo(leaflet)
  const markers = new Map<string, Marker>()
  let shown: readonly MarkerData[] = []
  const listeners: ((id: string) => boolean)[] = []
  let highlighted: string | undefined
  let isScripted = false
  const scripted = (work: () => void) => {
    isScripted = true
    work()
    // An animated move ends later; `moveend` of a move without animation has been sent already.
    leaflet.once('moveend', () => setTimeout(() => (isScripted = false)))
    setTimeout(() => (isScripted = false), 600)
  }
  const add = (data: MarkerData) => {
    const { id, at, label, mark = '', kind = 'main', href } = data
    const one = createMarker(at, { icon: createPin(mark, kind), title: label, keyboard: false, riseOnHover: true })
    one.on('mouseover', () => highlight(id, true)).on('mouseout', () => highlight(undefined, true))
    one.on('click', () => {
      if (!listeners.some(then => then(id)) && href !== undefined) location.assign(href)
    })
    markers.set(id, one.addTo(layer))
  }
  const highlight = (id?: string, marksPage = false) => {
    for (const [of, isOn] of [[highlighted, false] as const, [id, true] as const]) {
      if (of === undefined) continue
      raise(markers.get(of), isOn)
      if (marksPage) markPlaces(of, isOn)
    }
    highlighted = id
  }
  return {
    leaflet,
    highlight,
    show: (list, keepsView = false) => {
      layer.clearLayers()
      markers.clear()
      shown = list
      for (const data of list) add(data)
      const all = list.map(({ at }) => at)
      if (!keepsView && all.length > 0) scripted(() => fit(leaflet, all))
    },
    find: id => shown.find(data => data.id === id),
    goTo: (at, zoom = placeZoom) => scripted(() => leaflet.setView(at, Math.max(zoom, leaflet.getZoom()))),
    showBox: box => scripted(() => fitBox(leaflet, box)),
    box: () => {
      const bounds = leaflet.getBounds()
      return [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()]
    },
    onChoose: then => listeners.push(then),
    onMoved: then =>
      leaflet.on('moveend', () => {
        if (!isScripted) then()
      }),
  }
}

/** Shows a marker as chosen, above the others. */
function raise(pin: Marker | undefined, isOn: boolean): void {
  pin?.getElement()?.classList.toggle('chosen', isOn)
  pin?.setZIndexOffset(isOn ? 1000 : 0)
}

/** Marks the elements of the page that are about the place of a marker. */
function markPlaces(id: string, isOn: boolean): void {
  for (const element of document.querySelectorAll(`[data-place="${CSS.escape(id)}"]`))
    element.classList.toggle('pointed', isOn)
}

/** Marks the marker of the element that the reader points at or focuses. */
function linkWithPage(opened: PlaceMap): void {
  for (const event of ['pointerover', 'focusin'])
    document.addEventListener(event, ({ target }) => {
      const element = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null
      if (element) opened.highlight(element.dataset.place)
    })
}

for (const element of document.querySelectorAll<HTMLElement>('[data-map]')) maps.set(element, openMap(element))
