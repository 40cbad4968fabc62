import type { Box, Point } from '../../domain/search.ts'
import { earthRadiusKm } from '../../kit/great-circle.ts'

const radians = Math.PI / 180

/**
 * Returns a function for great-circle distances in kilometres from a point, by the haversine formula (Sinnott 1984).
 */
export function distancesFrom(from: Point): (latitude: number, longitude: number) => number {
  const cosine = Math.cos(from.latitude * radians)
  return (latitude, longitude) => {
    const latitudes = Math.sin(((latitude - from.latitude) * radians) / 2)
    const longitudes = Math.sin(((longitude - from.longitude) * radians) / 2)
    const h = latitudes * latitudes + cosine * Math.cos(latitude * radians) * longitudes * longitudes
    return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(h)))
  }
}

/** Returns the initial bearing of the great circle in degrees, from 0 (north) up to 360 (exclusive). */
export function bearing(from: Point, to: Point): number {
  const turn = (to.longitude - from.longitude) * radians
  const here = from.latitude * radians
  const there = to.latitude * radians
  const east = Math.sin(turn) * Math.cos(there)
  const north = Math.cos(here) * Math.sin(there) - Math.sin(here) * Math.cos(there) * Math.cos(turn)
  const degrees = (Math.atan2(east, north) / radians + 360) % 360
  return degrees === 0 ? 0 : degrees
}

/** Margin of a box in degrees, so that coordinates rounded to 1e-7 degrees stay inside. */
const slack = 3e-7

/** Returns the smallest box around a circle; all longitudes if the circle contains a pole. */
export function boxAround({ latitude, longitude }: Point, radiusKm: number): Box {
  const angle = radiusKm / earthRadiusKm
  const reach = angle / radians + slack
  const south = latitude - reach
  const north = latitude + reach
  const ratio = Math.sin(angle) / Math.cos(latitude * radians)
  if (south <= -90 || north >= 90 || !(ratio < 1)) {
    return { south: Math.max(-90, south), west: -180, north: Math.min(90, north), east: 180 }
  }
  const turn = Math.asin(ratio) / radians + slack
  const west = longitude - turn
  const east = longitude + turn
  return { south, west: west < -180 ? west + 360 : west, north, east: east > 180 ? east - 360 : east }
}
