import type { Point } from '../../domain/search.ts'
import type { Budget } from './budget.ts'
import { createGreatArc, footOf, type GreatArc, squaredChordTo } from './great-arc.ts'
import { add, lengthOf, scale, squaredChord, subtract, toVector, type Vector } from './vectors.ts'

/** Maximum number of arcs in a leaf of the tree. */
const leafSize = 4
/** Margin for the rounding of spheres, in radii of the Earth: 0.1 mm. */
const rounding = 1.6e-11

/** Sphere in space around some consecutive arcs of a line. */
interface Node {
  readonly centre: Vector
  readonly radius: number
  /** Arcs from `first` up to `last` (exclusive). */
  readonly first: number
  readonly last: number
  readonly children: readonly [Node, Node] | undefined
}

/** Line of great arcs on the sphere. A binary tree of spheres finds the nearest arc of a point. */
export class RouteLine {
  readonly #arcs: readonly GreatArc[]
  readonly #root: Node
  readonly #budget: Budget
  /** State of the search that runs: the best squared chord, and its arc. */
  #best = 0
  #arc = 0

  /** Takes at least two points. */
  constructor(points: readonly Point[], budget: Budget) {
    budget.spend(points.length * 4)
    this.#budget = budget
    const vectors = points.map(({ latitude, longitude }) => toVector(latitude, longitude))
    this.#arcs = vectors.slice(1).map((vector, i) => createGreatArc(vectors[i]!, vector))
    this.#root = this.#build(0, this.#arcs.length)
  }

  #build(first: number, last: number): Node {
    if (last - first <= leafSize) {
      // The sphere over the chord of an arc contains the arc.
      const spheres = this.#arcs.slice(first, last).map(({ from, to }) => ({
        centre: scale(add(from, to), 0.5),
        radius: lengthOf(subtract(from, to)) / 2,
      }))
      return { ...around(spheres), first, last, children: undefined }
    }
    const middle = (first + last) >> 1
    const children = [this.#build(first, middle), this.#build(middle, last)] as const
    return { ...around(children), first, last, children }
  }

  /**
   * Returns the square of the chord between a point and the line; `atMost`, if the line is not closer than the chord with
   * this square.
   */
  squaredChordTo(point: Vector, atMost: number): number {
    this.#best = atMost
    this.#arc = -1
    this.#descend(this.#root, point)
    return this.#best
  }

  /** Returns the point of the line that is nearest to a point. */
  footOf(point: Vector): Vector {
    this.squaredChordTo(point, Number.POSITIVE_INFINITY)
    return footOf(this.#arcs[this.#arc]!, point)
  }

  #descend({ first, last, children }: Node, point: Vector): void {
    this.#budget.spend(1)
    if (children === undefined) {
      for (let i = first; i < last; i++) {
        const squared = squaredChordTo(this.#arcs[i]!, point)
        if (squared >= this.#best) continue
        this.#best = squared
        this.#arc = i
      }
      return
    }
    const [near, far] = [gapTo(children[0], point), gapTo(children[1], point)]
    const order = near <= far ? [0, 1] : [1, 0]
    for (const child of order as [0 | 1, 0 | 1]) {
      const gap = child === 0 ? near : far
      if (gap < 0 || gap * gap < this.#best) this.#descend(children[child], point)
    }
  }
}

/** Returns a lower bound of the distance between a point and the arcs of a node; negative inside the sphere. */
const gapTo = ({ centre, radius }: Node, point: Vector): number => Math.sqrt(squaredChord(point, centre)) - radius

/** Returns a sphere around spheres. */
function around(spheres: readonly Pick<Node, 'centre' | 'radius'>[]): Pick<Node, 'centre' | 'radius'> {
  const sum = spheres.reduce((all, { centre }) => add(all, centre), [0, 0, 0] as Vector)
  const centre = scale(sum, 1 / spheres.length)
  const radii = spheres.map(sphere => lengthOf(subtract(sphere.centre, centre)) + sphere.radius)
  return { centre, radius: Math.max(...radii) + rounding }
}
