import { countTurns, type Polygon, type Ring } from '../../domain/polygon.ts'
import type { Budget } from './budget.ts'
import { type CellRelation, cellRelation, type Region, toUnits } from './regions.ts'
import { RingIndex, type Side, side } from './ring.ts'

/** A turn around the Earth, in units. */
const turn = 3_600_000_000
/** Turns at which a point may be in a ring that begins within the range of longitudes. */
const turns = [0, turn, -turn] as const

/** Ring around the Earth's axis: a point and the same one a turn away are one. */
class WrappedRing {
  readonly #ring: RingIndex

  constructor(ring: Ring, budget: Budget) {
    const added = countTurns(ring)
    const x = Float64Array.from(ring, ({ longitude }, i) => toUnits(longitude) + added[i]! * turn)
    // Begin from -180 up to 180 degrees (exclusive).
    const shift = -turn * Math.floor((Math.min(...x) + turn / 2) / turn)
    const y = Float64Array.from(ring, ({ latitude }) => toUnits(latitude))
    this.#ring = new RingIndex(
      x.map(value => value + shift),
      y,
      budget,
    )
  }

  locate(x: number, y: number): Side {
    let best: Side = side.outside
    for (const by of turns) {
      const found = this.#ring.locate(x + by, y)
      if (found > best) best = found
    }
    return best
  }

  relation(west: number, south: number, east: number, north: number): CellRelation {
    let best: CellRelation = cellRelation.outside
    for (const by of turns) {
      const found = this.#ring.relation(west + by, south, east + by, north)
      if (found > best) best = found
    }
    return best
  }
}

/** One polygon: its outer ring without the inside of its holes. Boundaries belong to it. */
class PolygonShape implements Region {
  readonly #outer: WrappedRing
  readonly #holes: readonly WrappedRing[]

  constructor([outer, ...holes]: Polygon, budget: Budget) {
    this.#outer = new WrappedRing(outer!, budget)
    this.#holes = holes.map(hole => new WrappedRing(hole, budget))
  }

  contains(x: number, y: number): boolean {
    if (this.#outer.locate(x, y) === side.outside) return false
    return this.#holes.every(hole => hole.locate(x, y) !== side.inside)
  }

  relation(west: number, south: number, east: number, north: number): CellRelation {
    const outer = this.#outer.relation(west, south, east, north)
    if (outer !== cellRelation.inside) return outer
    const holes = this.#holes.map(hole => hole.relation(west, south, east, north))
    if (holes.includes(cellRelation.inside)) return cellRelation.outside
    return holes.includes(cellRelation.across) ? cellRelation.across : cellRelation.inside
  }
}

/** Polygons, boundaries included. The meridians 180° and -180° are the same. */
export class PolygonRegion implements Region {
  readonly #shapes: readonly PolygonShape[]
  readonly #steps: number
  readonly #budget: Budget

  constructor(polygons: readonly Polygon[], budget: Budget) {
    this.#budget = budget
    this.#shapes = polygons.map(polygon => new PolygonShape(polygon, budget))
    this.#steps = polygons.flat().length / 2
  }

  contains(x: number, y: number): boolean {
    this.#budget.spend(this.#steps)
    return this.#shapes.some(shape => shape.contains(x, y))
  }

  relation(west: number, south: number, east: number, north: number): CellRelation {
    this.#budget.spend(this.#steps)
    let best: CellRelation = cellRelation.outside
    for (const shape of this.#shapes) {
      const found = shape.relation(west, south, east, north)
      if (found === cellRelation.inside) return found
      if (found > best) best = found
    }
    return best
  }
}
