/** A marker that the reader can drag to set the coordinates of a form. */

import type { Map as LeafletMap, Marker } from 'leaflet'

/** Lets the reader drag the first marker; the fields of the form follow it, and it follows the fields. */
export function addDrag(leaflet: LeafletMap, formId: string): void {
  const form = document.getElementById(formId)
  const input = (name: string) => form?.querySelector<HTMLInputElement>(`input[name="${name}"]`)
  const [latitude, longitude] = [input('latitude'), input('longitude')]
  let first: Marker | undefined
  leaflet.eachLayer(layer => {
    if ('dragging' in layer && 'getLatLng' in layer) first ??= layer as Marker
  })
  if (!first || !latitude || !longitude) return
  const pin = first
  pin.dragging?.enable()
  pin.getElement()?.classList.add('draggable')
  pin.on('drag', () => {
    const { lat, lng } = pin.getLatLng()
    latitude.value = lat.toFixed(6)
    longitude.value = lng.toFixed(6)
  })
  for (const field of [latitude, longitude])
    field.addEventListener('input', () => {
      const [lat, lon] = [Number.parseFloat(latitude.value), Number.parseFloat(longitude.value)]
      if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) pin.setLatLng([lat, lon])
    })
}
