import type { Box, Point } from '../../domain/search.ts'
import { earthRadiusKm } from '../../kit/great-circle.ts'
import { boxAround } from './sphere.ts'

/** Coordinates are stored in units of 1e-7 degrees (about 1 cm), which fit into 32 bits. */
export const unitsPerDegree = 1e7

/** Converts degrees to units. */
export const toUnits = (degrees: number): number => Math.round(degrees * unitsPerDegree)

/** Relation of a cell of the point tree to a region. */
export const cellRelation = { outside: 0, across: 1, inside: 2 } as const
export type CellRelation = (typeof cellRelation)[keyof typeof cellRelation]

/** Region of the Earth; x is longitude and y latitude, in units of 1e-7 degrees. */
export interface Region {
  contains(x: number, y: number): boolean
  /** Returns the relation of a cell; `across` is always a correct, if less efficient, result. */
  relation(west: number, south: number, east: number, north: number): CellRelation
}

/** Box, edges included. The meridians 180° and -180° are the same. */
export class BoxRegion implements Region {
  readonly #south: number
  readonly #north: number
  /** West and east edges of disjoint ranges of longitude, interleaved. */
  readonly #ranges: readonly number[]

  constructor(box: Box) {
    this.#south = Math.ceil(box.south * unitsPerDegree - 1e-3)
    this.#north = Math.floor(box.north * unitsPerDegree + 1e-3)
    this.#ranges = longitudeRanges(box).flatMap(([west, east]) => [
      Math.ceil(west * unitsPerDegree - 1e-3),
      Math.floor(east * unitsPerDegree + 1e-3),
    ])
  }

  contains(x: number, y: number): boolean {
    if (y < this.#south || y > this.#north) return false
    const ranges = this.#ranges
    for (let i = 0; i < ranges.length; i += 2) if (x >= ranges[i]! && x <= ranges[i + 1]!) return true
    return false
  }

  relation(west: number, south: number, east: number, north: number): CellRelation {
    if (north < this.#south || south > this.#north) return cellRelation.outside
    const ranges = this.#ranges
    let touches = false
    for (let i = 0; i < ranges.length; i += 2) {
      if (east < ranges[i]! || west > ranges[i + 1]!) continue
      if (west >= ranges[i]! && east <= ranges[i + 1]! && south >= this.#south && north <= this.#north) {
        return cellRelation.inside
      }
      touches = true
    }
    return touches ? cellRelation.across : cellRelation.outside
  }
}

const radiansPerUnit = Math.PI / 180 / unitsPerDegree
const halfTurn = 180 * unitsPerDegree
/**
 * Maximum radius in kilometres, an eighth of the Earth's circumference, up to which a cell is inside a circle if its
 * corners are.
 */
const maxCornerTestKm = 5000
/** Upper bound of the relative rounding error of a haversine. */
const rounding = 1e-7

/**
 * Circle on the sphere. Compares haversines instead of distances, which avoids a root and an arcsine per point; only
 * points within rounding error of the edge are compared by distance.
 */
export class CircleRegion implements Region {
  readonly #box: BoxRegion
  readonly #x: number
  readonly #y: number
  readonly #cosine: number
  readonly #radiusKm: number
  /** Haversines below which a point is certainly inside, and above which it is certainly outside. */
  readonly #insideBelow: number
  readonly #outsideAbove: number

  constructor(centre: Point, radiusKm: number) {
    this.#box = new BoxRegion(boxAround(centre, radiusKm))
    this.#x = centre.longitude * unitsPerDegree
    this.#y = centre.latitude * unitsPerDegree
    this.#cosine = Math.cos(this.#y * radiansPerUnit)
    this.#radiusKm = radiusKm
    const haversine = Math.sin(Math.min(Math.PI, radiusKm / earthRadiusKm) / 2) ** 2
    this.#insideBelow = haversine * (1 - rounding)
    this.#outsideAbove = haversine * (1 + rounding)
  }

  contains(x: number, y: number): boolean {
    if (!this.#box.contains(x, y)) return false
    const haversine = this.#haversine(x, y)
    if (haversine < this.#insideBelow) return true
    if (haversine > this.#outsideAbove) return false
    return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(haversine))) <= this.#radiusKm
  }

  relation(west: number, south: number, east: number, north: number): CellRelation {
    const box = this.#box.relation(west, south, east, north)
    if (box !== cellRelation.inside || this.#radiusKm > maxCornerTestKm)
      return Math.min(box, cellRelation.across) as CellRelation
    // The opposite meridian within the cell is farther away than both of its edges.
    const opposite = this.#x > 0 ? this.#x - halfTurn : this.#x + halfTurn
    if (west < opposite && opposite < east) return cellRelation.across
    const furthest = Math.max(
      this.#haversine(west, south),
      this.#haversine(west, north),
      this.#haversine(east, south),
      this.#haversine(east, north),
    )
    return furthest < this.#insideBelow ? cellRelation.inside : cellRelation.across
  }

  /** Returns the haversine of the distance from the centre, 0 to 1. */
  #haversine(x: number, y: number): number {
    const latitudes = Math.sin(((y - this.#y) * radiansPerUnit) / 2)
    const longitudes = Math.sin(((x - this.#x) * radiansPerUnit) / 2)
    return latitudes * latitudes + this.#cosine * Math.cos(y * radiansPerUnit) * longitudes * longitudes
  }
}

/** Splits a box at the antimeridian into disjoint ranges of longitude, in degrees. */
function longitudeRanges({ west, east }: Box): [number, number][] {
  const ranges: [number, number][] =
    west <= east
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east],
        ]
  const touches = (meridian: number) => ranges.some(([from, to]) => from <= meridian && meridian <= to)
  const [plus, minus] = [touches(180), touches(-180)]
  if (plus && !minus) ranges.push([-180, -180])
  if (minus && !plus) ranges.push([180, 180])
  return ranges
}
