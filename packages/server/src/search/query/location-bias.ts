import type { Point } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import { BoxRegion, unitsPerDegree } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import { boxAround, distancesFrom } from '../index/sphere.ts'
import type { Bitmap } from './bitmap.ts'
import { bonus } from './weights.ts'

/** Radii in kilometres to collect nearby documents; the largest with an acceptable number of documents is used. */
const radiiKm = [30, 10, 3]

/** Preference for documents of one segment that are close to a point; without a point it has no effect. */
export class LocationBias {
  readonly #segment: Segment
  readonly #near: Point | undefined
  readonly #distanceTo: (latitude: number, longitude: number) => number

  constructor(segment: Segment, near: Point | undefined) {
    this.#segment = segment
    this.#near = near
    this.#distanceTo = distancesFrom(near ?? { latitude: 0, longitude: 0 })
  }

  get isActive(): boolean {
    return this.#near !== undefined
  }

  /** Returns the bonus of a document, which is added to its score. */
  bonusOf(doc: number): number {
    if (this.#near === undefined) return 0
    const { latitude, longitude } = this.#segment.arrays
    return (
      bonus.proximity * proximity(this.#distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree))
    )
  }

  /**
   * Adds the documents close to the point: those in the largest box with at most `limit` documents, or in the smallest
   * box.
   */
  addNearby(to: Bitmap, limit: number, budget: Budget): void {
    if (this.#near === undefined) return
    const { points } = this.#segment
    const regions = radiiKm.map(radiusKm => new BoxRegion(boxAround(this.#near!, radiusKm)))
    const region = regions.find(one => points.count(one, budget) <= limit) ?? regions.at(-1)!
    points.visit(region, budget, (from, end) => {
      budget.spend((end - from) / 4)
      to.addRange(points.docs, from, end)
    })
  }
}

/** Returns 1 for a distance of 0, decreasing with the logarithm of the distance to 0 at the antipode. */
const proximity = (km: number): number => Math.max(0, 1 - Math.log1p(km) / Math.log1p(20_016))
