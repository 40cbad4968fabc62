import { centreOf, type NearbyShape, type Point } from '../../domain/search.ts'
import { earthRadiusKm } from '../../kit/great-circle.ts'
import type { Budget } from '../index/budget.ts'
import { PolygonRegion } from '../index/polygon-region.ts'
import { BoxRegion, CircleRegion, type Region } from '../index/regions.ts'
import { RouteLine } from '../index/route-line.ts'
import { RouteRegion } from '../index/route-region.ts'
import { bearing, distancesFrom } from '../index/sphere.ts'
import { angleOfChord, toPoint, toVector } from '../index/vectors.ts'
import { centroidOf, reachOf } from './centroid.ts'

/** About half the Earth's circumference in kilometres, the maximum distance between two points. */
const maxDistanceKm = 20_016

/** Distance below which a place is on a line, so that rounding decides no bearing: 1 mm. */
const onLineKm = 1e-6

/** Search area with what distances are measured from: a centre, or a line. */
export interface NearbyArea {
  readonly region: Region
  /** No place of the area is farther away. */
  readonly reachKm: number
  /** Returns the region of the places within a distance, in the area or not. */
  closer(km: number): Region
  kmTo(place: Point): number
  /** Returns the initial bearing in degrees. */
  bearingTo(place: Point): number
}

/** Prepares a search area; its comparisons spend from the budget. */
export function prepareArea(within: NearbyShape, budget: Budget): NearbyArea {
  if ('route' in within) return alongRoute(new RouteLine(within.route, budget), within.halfWidthKm)
  if ('box' in within) return aroundCentre(centreOf(within.box), new BoxRegion(within.box), maxDistanceKm)
  if ('centre' in within) {
    const { centre, radiusKm } = within
    return aroundCentre(centre, new CircleRegion(centre, radiusKm), radiusKm)
  }
  const { polygons } = within
  const centre = centroidOf(polygons)
  return aroundCentre(centre, new PolygonRegion(polygons, budget), Math.min(maxDistanceKm, reachOf(polygons, centre)))
}

function aroundCentre(centre: Point, region: Region, reachKm: number): NearbyArea {
  const distanceTo = distancesFrom(centre)
  return {
    region,
    reachKm,
    closer: km => new CircleRegion(centre, km),
    kmTo: ({ latitude, longitude }) => distanceTo(latitude, longitude),
    bearingTo: place => bearing(centre, place),
  }
}

function alongRoute(line: RouteLine, halfWidthKm: number): NearbyArea {
  const vectorOf = ({ latitude, longitude }: Point) => toVector(latitude, longitude)
  const kmTo = (place: Point) =>
    earthRadiusKm * angleOfChord(line.squaredChordTo(vectorOf(place), Number.POSITIVE_INFINITY))
  return {
    region: new RouteRegion(line, halfWidthKm),
    reachKm: halfWidthKm,
    closer: km => new RouteRegion(line, km),
    kmTo,
    bearingTo: place => (kmTo(place) < onLineKm ? 0 : bearing(toPoint(line.footOf(vectorOf(place))), place)),
  }
}
