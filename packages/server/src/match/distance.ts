import type { Point } from '../domain/search.ts'

const earthRadiusMeters = 6_371_008.8
const radians = Math.PI / 180

/** Returns the great-circle distance of two points in metres, by the haversine formula (Sinnott 1984). */
export function metersBetween(a: Point, b: Point): number {
  const latitudes = Math.sin(((b.latitude - a.latitude) * radians) / 2)
  const longitudes = Math.sin(((b.longitude - a.longitude) * radians) / 2)
  const h =
    latitudes * latitudes + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * longitudes * longitudes
  return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(h)))
}
