import { BorderBands, bandOf, columnOf } from './border-bands.ts'
import { BorderCells } from './border-cells.ts'
import { decodeBorders, unitsPerDegree } from './border-file.ts'
import { readRegionAsset } from './region-assets.ts'
import { isRegionOf } from './region-codes.ts'

/**
 * Distance up to which a point outside all regions of its country belongs to the nearest one: borders are simplified,
 * and places are in harbours and on bridges.
 */
export const nearKm = 20

const kmPerUnit = 111.195 / unitsPerDegree
const radians = Math.PI / 180 / unitsPerDegree

/** Borders of states and provinces, with the region of a point. */
export class Borders {
  readonly #bands: BorderBands
  readonly #cells: BorderCells
  readonly #codes: readonly string[]
  readonly #numbers: ReadonlyMap<string, number>

  constructor(file: Buffer) {
    this.#bands = new BorderBands(decodeBorders(file))
    this.#cells = new BorderCells(this.#bands)
    this.#codes = this.#bands.lines.codes
    this.#numbers = new Map(this.#codes.map((code, i) => [code, i]))
  }

  /**
   * Returns the ISO 3166-2 code of the region at a point, or undefined. With a country, only its regions count: the one
   * that contains the point, or the nearest one within 20 km.
   */
  regionAt(latitude: number, longitude: number, country?: string): string | undefined {
    const [x, y] = toUnits(latitude, longitude)
    const isWanted = (region: number) => country === undefined || isRegionOf(this.#codes[region]!, country)
    const only = this.#cells.regionOf(x, y)
    if (only >= 0 && isWanted(only)) return this.#codes[only]
    let found = -1
    if (only === -2) {
      this.#cells.someRegion(columnOf(x), bandOf(y), region => {
        if (!isWanted(region) || !this.#bands.contains(region, x, y)) return false
        found = region
        return true
      })
    }
    if (found < 0) found = this.#nearest(x, y, isWanted)
    return this.#codes[found]
  }

  /** Returns the nearest of some regions to a point, if it is within 20 km, or contains it. */
  nearestOf(codes: readonly string[], latitude: number, longitude: number): string | undefined {
    const [x, y] = toUnits(latitude, longitude)
    const wanted = new Set(codes.map(code => this.#numbers.get(code)))
    for (const region of wanted) {
      if (region !== undefined && this.#bands.contains(region, x, y)) return this.#codes[region]
    }
    return this.#codes[this.#nearest(x, y, region => wanted.has(region))]
  }

  /** Returns the nearest wanted region within 20 km, or -1. */
  #nearest(x: number, y: number, isWanted: (region: number) => boolean): number {
    const [column, band] = [columnOf(x), bandOf(y)]
    // A cell is 28 km high; towards the poles, more columns are within reach.
    const reach = Math.ceil(nearKm / (28 * Math.max(0.05, Math.cos(y * radians))))
    const tried = new Set<number>()
    let nearest = -1
    let least = nearKm
    for (let row = band - 1; row <= band + 1; row++) {
      for (let at = column - reach; at <= column + reach; at++) {
        this.#cells.someRegion(at, row, region => {
          if (tried.has(region)) return false
          tried.add(region)
          if (!isWanted(region)) return false
          const distance = this.#distanceKm(region, x, y)
          if (distance < least) [nearest, least] = [region, distance]
          return false
        })
      }
    }
    return nearest
  }

  /** Returns the distance to the border of a region, of its edges in the bands around the point. */
  #distanceKm(region: number, x: number, y: number): number {
    const { xs, ys } = this.#bands.lines
    const scale = Math.cos(y * radians)
    let least = Infinity
    const band = bandOf(y)
    for (let near = band - 1; near <= band + 1; near++) {
      this.#bands.eachEdgeIn(region, near, edge => {
        const [ax, ay] = [(xs[edge]! - x) * scale, ys[edge]! - y]
        const [bx, by] = [(xs[edge + 1]! - x) * scale, ys[edge + 1]! - y]
        least = Math.min(least, squaredDistanceToOrigin(ax, ay, bx, by))
      })
    }
    return Math.sqrt(least) * kmPerUnit
  }
}

const toUnits = (latitude: number, longitude: number): [x: number, y: number] => [
  Math.min(longitude, 179.999) * unitsPerDegree,
  latitude * unitsPerDegree,
]

/** Returns the squared distance of the origin to a segment. */
function squaredDistanceToOrigin(ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length))
  return (ax + along * dx) ** 2 + (ay + along * dy) ** 2
}

let loaded: Borders | undefined

/** Returns the borders; the first call takes about 100 ms and 10 MB to load them. */
export const borders = (): Borders => {
  loaded ??= new Borders(readRegionAsset('borders.bin'))
  return loaded
}
