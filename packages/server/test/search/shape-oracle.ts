/** Slow and simple forms of the comparisons of polygons and routes, written independently of the search. */
import type { Point } from '../../src/domain/search.ts'

/** Polygons whose longitudes may be beyond 180, so that no edge jumps. */
export type UnwrappedPolygon = readonly (readonly Point[])[]

/** Returns a longitude from -180 to 180. */
export function wrapped(longitude: number): number {
  const turned = longitude - 360 * Math.floor((longitude + 180) / 360)
  return longitude === 180 ? 180 : Math.round(turned * 1e7) / 1e7
}

const units = (degrees: number) => BigInt(Math.round(degrees * 1e7))

/** Returns 1 inside a ring, 0 on it, -1 outside, by the even-odd rule in exact integers. */
function sideOf(x: bigint, y: bigint, ring: readonly Point[]): number {
  let crossings = 0
  for (let i = 0; i + 1 < ring.length; i++) {
    const [x1, y1] = [units(ring[i]!.longitude), units(ring[i]!.latitude)]
    const [x2, y2] = [units(ring[i + 1]!.longitude), units(ring[i + 1]!.latitude)]
    const [south, north] = y1 < y2 ? [y1, y2] : [y2, y1]
    if (y < south || y > north) continue
    const [west, east] = x1 < x2 ? [x1, x2] : [x2, x1]
    if ((x - x1) * (y2 - y1) === (y - y1) * (x2 - x1) && x >= west && x <= east) return 0
    if (y === north || y1 === y2) continue
    // Longitude of the edge at the latitude y, times its height.
    const height = y2 - y1
    const [edge, point] = [x1 * height + (y - y1) * (x2 - x1), x * height]
    if (height > 0n ? point < edge : point > edge) crossings++
  }
  return crossings % 2 === 1 ? 1 : -1
}

/** Returns true if a point is in a polygon: in or on its outer ring, and not inside of a hole. */
export function isInPolygons({ latitude, longitude }: Point, polygons: readonly UnwrappedPolygon[]): boolean {
  const y = units(latitude)
  return [-360, 0, 360].some(turn => {
    const x = units(longitude) + BigInt(turn) * 10_000_000n
    return polygons.some(
      ([outer, ...holes]) => sideOf(x, y, outer!) >= 0 && holes.every(hole => !isInHole(longitude + turn, y, hole)),
    )
  })
}

/** Holes may be some turns away from the outer ring. */
const isInHole = (longitude: number, y: bigint, hole: readonly Point[]): boolean =>
  [-360, 0, 360].some(turn => sideOf(units(longitude + turn), y, hole) === 1)

const radians = Math.PI / 180
const earthKm = 6371.0088

function kilometres(a: Point, b: Point): number {
  const h =
    Math.sin(((b.latitude - a.latitude) * radians) / 2) ** 2 +
    Math.cos(a.latitude * radians) *
      Math.cos(b.latitude * radians) *
      Math.sin(((b.longitude - a.longitude) * radians) / 2) ** 2
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(h)))
}

function bearing(a: Point, b: Point): number {
  const [from, to, turn] = [a.latitude * radians, b.latitude * radians, (b.longitude - a.longitude) * radians]
  return Math.atan2(
    Math.sin(turn) * Math.cos(to),
    Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn),
  )
}

/** Returns the distance to an arc by its cross-track and along-track distances. */
function kilometresToArc(point: Point, from: Point, to: Point): number {
  const [length, away] = [kilometres(from, to), kilometres(from, point)]
  const ends = Math.min(away, kilometres(to, point))
  if (length === 0) return ends
  const turn = bearing(from, point) - bearing(from, to)
  const across = Math.asin(Math.sin(away / earthKm) * Math.sin(turn))
  const along = Math.atan2(Math.sin(away / earthKm) * Math.cos(turn), Math.cos(away / earthKm)) * earthKm
  return along < 0 || along > length ? ends : Math.min(ends, Math.abs(across) * earthKm)
}

/** Returns the distance to a line of arcs. */
export const kilometresToRoute = (point: Point, route: readonly Point[]): number =>
  Math.min(...route.slice(1).map((to, i) => kilometresToArc(point, route[i]!, to)))
