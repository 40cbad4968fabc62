import { type Position, toPoint } from '../geometry.ts'

/** Maximum number of nodes of an outline that are used. */
const maxNodes = 32

/** Returns at most 32 nodes of an outline, evenly spread, with the last one. */
export function sampleRefs<T>(refs: readonly T[]): readonly T[] {
  if (refs.length <= maxNodes) return refs
  return Array.from({ length: maxNodes }, (_, i) => refs[Math.floor((i * (refs.length - 1)) / (maxNodes - 1))]!)
}

/** Returns the point of a way: the centroid of a closed one, otherwise its middle. Missing nodes are left out. */
export function pointOfWay(points: readonly (Position | undefined)[], isClosed: boolean): Position | undefined {
  const known = points.filter(point => point !== undefined)
  if (known.length === 0) return undefined
  if (known.length < 3) return toPoint({ type: 'LineString', coordinates: known })
  return isClosed
    ? toPoint({ type: 'Polygon', coordinates: [[...known, known[0]]] })
    : toPoint({ type: 'LineString', coordinates: known })
}

/** Returns the middle of the rectangle around some points. */
export function middleOf(points: readonly Position[]): Position | undefined {
  if (points.length === 0) return undefined
  const middle = (axis: 0 | 1) => {
    const values = points.map(point => point[axis])
    return (values.reduce((a, b) => Math.min(a, b)) + values.reduce((a, b) => Math.max(a, b))) / 2
  }
  return [middle(0), middle(1)]
}
