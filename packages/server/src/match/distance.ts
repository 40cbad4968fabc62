import type { Point } from '../domain/search.ts'
import { distanceKm } from '../kit/great-circle.ts'

/** Returns the great-circle distance of two points in metres. */
export const metersBetween = (a: Point, b: Point): number =>
  1000 * distanceKm(a.latitude, a.longitude, b.latitude, b.longitude)
