/** The icons of markers. */

import { divIcon } from 'leaflet'

/** Creates the icon of a marker: a drop with a text, or a dot for a neighbour. */
export function createPin(mark: string, kind: 'main' | 'other' | 'dot'): ReturnType<typeof divIcon> {
  const shape = document.createElement('span')
  const text = document.createElement('b')
  text.textContent = mark
  shape.append(text)
  return kind === 'main'
    ? divIcon({ className: 'pin', html: shape, iconSize: [28, 28], iconAnchor: [14, 33] })
    : divIcon({ className: `pin ${kind}`, html: shape, iconSize: [22, 22], iconAnchor: [11, 11] })
}
