import type { Box, Point } from '../../domain/search.ts'
import { boxAround, earthRadiusKm } from './sphere.ts'

/** Coordinates are kept in units of 1e-7 degrees (about a centimetre), which fit 32 bits. */
export const unitsPerDegree = 1e7

export const toUnits = (degrees: number): number => Math.round(degrees * unitsPerDegree)

/** How a cell of the point tree lies to a region. */
export const lies = { outside: 0, across: 1, inside: 2 } as const
export type Lies = (typeof lies)[keyof typeof lies]

/** A part of the Earth that points are looked for in; x is longitude and y latitude, in units. */
export interface Region {
  holds(x: number, y: number): boolean
  /** A cell may always be said to lie across. */
  relation(west: number, south: number, east: number, north: number): Lies
}

/** A box, edges included. 180° and -180° are one meridian. */
export class BoxRegion implements Region {
  readonly #south: number
  readonly #north: number
  /** West and east edges of its parts, one after the other. */
  readonly #ranges: readonly number[]

  constructor(box: Box) {
    this.#south = Math.ceil(box.south * unitsPerDegree - 1e-3)
    this.#north = Math.floor(box.north * unitsPerDegree + 1e-3)
    this.#ranges = longitudeRanges(box).flatMap(([west, east]) => [
      Math.ceil(west * unitsPerDegree - 1e-3),
      Math.floor(east * unitsPerDegree + 1e-3),
    ])
  }

  holds(x: number, y: number): boolean {
    if (y < this.#south || y > this.#north) return false
    const ranges = this.#ranges
    for (let i = 0; i < ranges.length; i += 2) if (x >= ranges[i]! && x <= ranges[i + 1]!) return true
    return false
  }

  relation(west: number, south: number, east: number, north: number): Lies {
    if (north < this.#south || south > this.#north) return lies.outside
    const ranges = this.#ranges
    let touches = false
    for (let i = 0; i < ranges.length; i += 2) {
      if (east < ranges[i]! || west > ranges[i + 1]!) continue
      if (west >= ranges[i]! && east <= ranges[i + 1]! && south >= this.#south && north <= this.#north) {
        return lies.inside
      }
      touches = true
    }
    return touches ? lies.across : lies.outside
  }
}

const radiansPerUnit = Math.PI / 180 / unitsPerDegree
const halfTurn = 180 * unitsPerDegree
/** Beyond an eighth of the Earth's circumference the corners of a cell no longer speak for all of it. */
const cornersSpeakKm = 5000
/** What rounding may do to the haversine of a distance, relative to it. */
const rounding = 1e-7

/** A circle on the sphere, by the haversine of distances (no roots and arcs for each point). */
export class CircleRegion implements Region {
  readonly #box: BoxRegion
  readonly #x: number
  readonly #y: number
  readonly #cosine: number
  readonly #radiusKm: number
  /** The haversine of the radius, and where it is too close to tell. */
  readonly #surelyIn: number
  readonly #surelyOut: number

  constructor(centre: Point, radiusKm: number) {
    this.#box = new BoxRegion(boxAround(centre, radiusKm))
    this.#x = centre.longitude * unitsPerDegree
    this.#y = centre.latitude * unitsPerDegree
    this.#cosine = Math.cos(this.#y * radiansPerUnit)
    this.#radiusKm = radiusKm
    const haversine = Math.sin(Math.min(Math.PI, radiusKm / earthRadiusKm) / 2) ** 2
    this.#surelyIn = haversine * (1 - rounding)
    this.#surelyOut = haversine * (1 + rounding)
  }

  holds(x: number, y: number): boolean {
    if (!this.#box.holds(x, y)) return false
    const haversine = this.#haversine(x, y)
    if (haversine < this.#surelyIn) return true
    if (haversine > this.#surelyOut) return false
    return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(haversine))) <= this.#radiusKm
  }

  relation(west: number, south: number, east: number, north: number): Lies {
    const box = this.#box.relation(west, south, east, north)
    if (box !== lies.inside || this.#radiusKm > cornersSpeakKm) return Math.min(box, lies.across) as Lies
    // The meridian across the Earth is further than both edges.
    const opposite = this.#x > 0 ? this.#x - halfTurn : this.#x + halfTurn
    if (west < opposite && opposite < east) return lies.across
    const furthest = Math.max(
      this.#haversine(west, south),
      this.#haversine(west, north),
      this.#haversine(east, south),
      this.#haversine(east, north),
    )
    return furthest < this.#surelyIn ? lies.inside : lies.across
  }

  #haversine(x: number, y: number): number {
    const latitudes = Math.sin(((y - this.#y) * radiansPerUnit) / 2)
    const longitudes = Math.sin(((x - this.#x) * radiansPerUnit) / 2)
    return latitudes * latitudes + this.#cosine * Math.cos(y * radiansPerUnit) * longitudes * longitudes
  }
}

/** Disjoint ranges without a jump at the antimeridian. */
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
