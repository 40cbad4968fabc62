import type { Budget } from './budget.ts'
import { type CellRelation, cellRelation } from './regions.ts'

/** Position of a point relative to a ring. */
export const side = { outside: -1, boundary: 0, inside: 1 } as const
export type Side = (typeof side)[keyof typeof side]

/** Maximum number of bands of a ring. */
const maxBands = 256
/** Edges that are compared in one step. */
const edgesPerStep = 4
/** Maximum error of a cross product of differences of coordinates, in units of 1e-7 degrees squared. */
const maxCrossError = 1e4

/**
 * Ring of straight edges in the plane of longitude (x) and latitude (y), in units of 1e-7 degrees. Its inside is what
 * an odd number of edges encloses, so that a ring may cross itself. The edges are listed by bands of latitude, so that
 * a point is compared with few of them. The coordinates are integers and all comparisons are exact.
 */
export class RingIndex {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  readonly #x: Float64Array
  readonly #y: Float64Array
  readonly #bands: number
  /** Length bands + 1: start of the edges of each band in `#edges`; edge `i` is from position `i` to `i + 1`. */
  readonly #start: Uint32Array
  readonly #edges: Uint32Array
  readonly #budget: Budget

  /** Takes closed lists of coordinates. */
  constructor(x: Float64Array, y: Float64Array, budget: Budget) {
    this.#x = x
    this.#y = y
    this.#budget = budget
    this.west = Math.min(...x)
    this.east = Math.max(...x)
    this.south = Math.min(...y)
    this.north = Math.max(...y)
    const edges = x.length - 1
    this.#bands = Math.min(maxBands, edges)
    this.#start = new Uint32Array(this.#bands + 1)
    this.#eachBand(band => this.#start[band + 1]!++)
    for (let band = 0; band < this.#bands; band++) this.#start[band + 1]! += this.#start[band]!
    this.#edges = new Uint32Array(this.#start[this.#bands]!)
    budget.spend(edges + this.#edges.length / edgesPerStep)
    const next = this.#start.slice()
    this.#eachBand((band, edge) => {
      this.#edges[next[band]!++] = edge
    })
  }

  /** Visits each edge with each band that it touches. */
  #eachBand(visit: (band: number, edge: number) => void): void {
    const y = this.#y
    for (let edge = 0; edge < y.length - 1; edge++) {
      const last = this.#bandOf(Math.max(y[edge]!, y[edge + 1]!))
      for (let band = this.#bandOf(Math.min(y[edge]!, y[edge + 1]!)); band <= last; band++) visit(band, edge)
    }
  }

  /** Returns the band of a latitude between `south` and `north`. */
  #bandOf(y: number): number {
    const height = this.north - this.south
    return height === 0 ? 0 : Math.min(this.#bands - 1, Math.floor(((y - this.south) / height) * this.#bands))
  }

  /** Returns the side of a point. */
  locate(x: number, y: number): Side {
    if (x < this.west || x > this.east || y < this.south || y > this.north) return side.outside
    const [xs, ys] = [this.#x, this.#y]
    const band = this.#bandOf(y)
    const end = this.#start[band + 1]!
    this.#budget.spend((end - this.#start[band]!) / edgesPerStep)
    let isInside = false
    for (let at = this.#start[band]!; at < end; at++) {
      const edge = this.#edges[at]!
      const [y1, y2] = [ys[edge]!, ys[edge + 1]!]
      if ((y < y1 && y < y2) || (y > y1 && y > y2)) continue
      const [x1, x2] = [xs[edge]!, xs[edge + 1]!]
      const turn = crossSign(x1, y1, x2, y2, x, y)
      if (turn === 0 && x >= Math.min(x1, x2) && x <= Math.max(x1, x2)) return side.boundary
      // Each edge has its lower end but not its upper one, so that a line through a position counts it once.
      if (y1 > y !== y2 > y && turn > 0 === y2 > y1) isInside = !isInside
    }
    return isInside ? side.inside : side.outside
  }

  /** Returns the relation of a cell to the inside of the ring; `across` if an edge touches the cell. */
  relation(west: number, south: number, east: number, north: number): CellRelation {
    if (east < this.west || west > this.east || north < this.south || south > this.north) return cellRelation.outside
    const last = this.#bandOf(Math.min(north, this.north))
    const from = this.#start[this.#bandOf(Math.max(south, this.south))]!
    const to = this.#start[last + 1]!
    for (let at = from; at < to; at++) {
      if (at % edgesPerStep === 0) this.#budget.spend(1)
      if (this.#touches(this.#edges[at]!, west, south, east, north)) return cellRelation.across
    }
    return this.locate(west, south) === side.outside ? cellRelation.outside : cellRelation.inside
  }

  /** Returns false only if an edge has no point in a cell. */
  #touches(edge: number, west: number, south: number, east: number, north: number): boolean {
    const [x1, x2, y1, y2] = [this.#x[edge]!, this.#x[edge + 1]!, this.#y[edge]!, this.#y[edge + 1]!]
    if (Math.max(x1, x2) < west || Math.min(x1, x2) > east) return false
    if (Math.max(y1, y2) < south || Math.min(y1, y2) > north) return false
    const turn = (x: number, y: number) => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    const turns = [turn(west, south), turn(east, south), turn(east, north), turn(west, north)]
    return Math.min(...turns) <= maxCrossError && Math.max(...turns) >= -maxCrossError
  }
}

/** Returns the sign of the cross product of (x2 - x1, y2 - y1) and (x - x1, y - y1), for integers; exact. */
function crossSign(x1: number, y1: number, x2: number, y2: number, x: number, y: number): number {
  const product = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
  if (product > maxCrossError || product < -maxCrossError) return product
  // Products of up to 66 bits are not exact as numbers.
  return Number(BigInt(x2 - x1) * BigInt(y - y1) - BigInt(y2 - y1) * BigInt(x - x1))
}
