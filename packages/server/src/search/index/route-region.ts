import { earthRadiusKm } from '../../kit/great-circle.ts'
import { type CellRelation, cellRelation, type Region, unitsPerDegree } from './regions.ts'
import type { RouteLine } from './route-line.ts'
import { angleOfChord, chordOfAngle, toVector } from './vectors.ts'

const radiansPerUnit = Math.PI / 180 / unitsPerDegree
/** Margin for rounding in the comparison of cells, in radians: 6 mm. */
const rounding = 1e-9

/** Places within a distance of a line on the sphere. */
export class RouteRegion implements Region {
  readonly #line: RouteLine
  /** Maximum distance as an angle, and as the square of a chord. */
  readonly #angle: number
  readonly #squaredChord: number

  constructor(line: RouteLine, halfWidthKm: number) {
    this.#line = line
    this.#angle = halfWidthKm / earthRadiusKm
    this.#squaredChord = chordOfAngle(this.#angle)
  }

  contains(x: number, y: number): boolean {
    // The next number above the bound, so that a point at the maximum distance belongs to the region.
    const above = this.#squaredChord * (1 + Number.EPSILON)
    return this.#line.squaredChordTo(toVector(y / unitsPerDegree, x / unitsPerDegree), above) < above
  }

  relation(west: number, south: number, east: number, north: number): CellRelation {
    const latitude = (south + north) / 2
    // Distance to a corner along the parallel of the centre and then along a meridian: no point is farther away.
    const reach =
      ((north - south) / 2 + ((east - west) / 2) * Math.cos(latitude * radiansPerUnit)) * radiansPerUnit + rounding
    if (reach >= Math.PI) return cellRelation.across
    const centre = toVector(latitude / unitsPerDegree, (west + east) / 2 / unitsPerDegree)
    const atMost = chordOfAngle(this.#angle + reach)
    const squared = this.#line.squaredChordTo(centre, atMost)
    if (squared >= atMost && atMost < 4) return cellRelation.outside
    return angleOfChord(squared) + reach < this.#angle ? cellRelation.inside : cellRelation.across
  }
}
