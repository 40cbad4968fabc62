import type { Point } from '../../domain/search.ts'
import { distanceKm } from '../../kit/great-circle.ts'
import { unitsPerDegree } from '../index/regions.ts'
import type { SegmentArrays } from '../index/segment.ts'

/** Distance in kilometres from which a place is not close to the centre of its area. */
const farKm = 50

/** Returns the closeness of a document to the place that its area is named after: 1 at its centre, 0 far away. */
export const areaCloseness = (arrays: SegmentArrays, doc: number, place: number): number =>
  closeness(
    arrays.placeLatitude[place]! / unitsPerDegree,
    arrays.placeLongitude[place]! / unitsPerDegree,
    arrays.latitude[doc]! / unitsPerDegree,
    arrays.longitude[doc]! / unitsPerDegree,
  )

/** Returns the closeness of a document to a centre. */
export const closenessTo = (centre: Point, { latitude, longitude }: SegmentArrays, doc: number): number =>
  closeness(centre.latitude, centre.longitude, latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree)

/** Returns the distance of a document from a point in kilometres. */
export const kilometresTo = (point: Point, { latitude, longitude }: SegmentArrays, doc: number): number =>
  distanceKm(point.latitude, point.longitude, latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree)

function closeness(latitude: number, longitude: number, toLatitude: number, toLongitude: number): number {
  const km = distanceKm(latitude, longitude, toLatitude, toLongitude)
  return Math.max(0, 1 - Math.log1p(km) / Math.log1p(farKm))
}
