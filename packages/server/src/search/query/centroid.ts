import { countTurns, type Polygon, type Ring } from '../../domain/polygon.ts'
import { centreOf, type Point } from '../../domain/search.ts'
import { earthRadiusKm } from '../../kit/great-circle.ts'
import { add, lengthOf, scale, toPoint, toVector, type Vector } from '../index/vectors.ts'

const radians = Math.PI / 180

/** Area in square degrees, and the sums of its longitudes and latitudes, of a ring. */
interface Moments {
  readonly area: number
  readonly longitude: number
  readonly latitude: number
}

/** Returns a ring without a jump at the antimeridian. */
function unwrap(ring: Ring): Ring {
  const turns = countTurns(ring)
  return ring.map(({ latitude, longitude }, i) => ({ latitude, longitude: longitude + turns[i]! * 360 }))
}

/** Computes the moments of a ring relative to a point, by the shoelace formula; the area is never negative. */
function momentsOf(ring: Ring, from: Point): Moments {
  let [area, longitude, latitude] = [0, 0, 0]
  for (let i = 0; i + 1 < ring.length; i++) {
    const [x1, y1] = [ring[i]!.longitude - from.longitude, ring[i]!.latitude - from.latitude]
    const [x2, y2] = [ring[i + 1]!.longitude - from.longitude, ring[i + 1]!.latitude - from.latitude]
    const product = x1 * y2 - x2 * y1
    area += product / 2
    longitude += (product * (x1 + x2)) / 6
    latitude += (product * (y1 + y2)) / 6
  }
  const sign = area < 0 ? -1 : 1
  return { area: area * sign, longitude: longitude * sign, latitude: latitude * sign }
}

/** Returns the centroid of a polygon in the plane of longitude and latitude, and its area. */
function planeCentroid([outer, ...holes]: Polygon): Point & { readonly area: number } {
  const ring = unwrap(outer!)
  const from = ring[0]!
  const whole = momentsOf(ring, from)
  // A hole may be a turn away from the outer ring; its form, and so its weight, is the same.
  const nearOuter = (hole: Ring): Ring => {
    const shift = Math.round((from.longitude - hole[0]!.longitude) / 360) * 360
    return hole.map(({ latitude, longitude }) => ({ latitude, longitude: longitude + shift }))
  }
  const parts = holes.map(hole => momentsOf(nearOuter(unwrap(hole)), from))
  const rest = (member: keyof Moments) => parts.reduce((sum, part) => sum - part[member], whole[member])
  const area = rest('area')
  const centroid = {
    latitude: from.latitude + rest('latitude') / area,
    longitude: from.longitude + rest('longitude') / area,
  }
  const box = boxOf(ring)
  const isWithin =
    centroid.latitude >= box.south &&
    centroid.latitude <= box.north &&
    centroid.longitude >= box.west &&
    centroid.longitude <= box.east
  // The formula fails for a ring without an area, and for one that crosses itself.
  return area > 0 && isWithin ? { ...centroid, area } : { ...centreOf(box), area: Math.max(area, Number.MIN_VALUE) }
}

function boxOf(ring: Ring) {
  const [longitudes, latitudes] = [ring.map(({ longitude }) => longitude), ring.map(({ latitude }) => latitude)]
  return {
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
  }
}

/**
 * Returns the centroid of polygons: of one, in the plane of longitude and latitude; of several, the middle of
 * their centroids on the sphere, weighted by area.
 */
export function centroidOf(polygons: readonly Polygon[]): Point {
  const centroids = polygons.map(planeCentroid)
  const [first] = centroids
  if (centroids.length === 1) return { latitude: first!.latitude, longitude: wrap(first!.longitude) }
  const largest = Math.max(...centroids.map(weightOf))
  const sum = centroids.reduce<Vector>(
    (all, one) => add(all, scale(toVector(one.latitude, one.longitude), weightOf(one) / largest)),
    [0, 0, 0],
  )
  // Opposite areas have no middle.
  return lengthOf(sum) > 1e-9 ? toPoint(sum) : { latitude: first!.latitude, longitude: wrap(first!.longitude) }
}

const weightOf = ({ area, latitude }: Point & { readonly area: number }): number =>
  Math.max(area * Math.cos(latitude * radians), Number.MIN_VALUE)

const wrap = (longitude: number): number => longitude - 360 * Math.floor((longitude + 180) / 360)

/**
 * Returns a distance from a point, in kilometres, that no place in polygons exceeds: the longest way along the parallel
 * of the point and then along a meridian.
 */
export function reachOf(polygons: readonly Polygon[], { latitude, longitude }: Point): number {
  const cosine = Math.cos(latitude * radians)
  const reaches = polygons.flatMap(([outer]) => {
    const ring = unwrap(outer!)
    const shift = Math.round((longitude - ring[0]!.longitude) / 360) * 360
    return ring.map(at => Math.abs(at.latitude - latitude) + Math.abs(at.longitude + shift - longitude) * cosine)
  })
  return (Math.max(...reaches) * radians + 1e-9) * earthRadiusKm
}
