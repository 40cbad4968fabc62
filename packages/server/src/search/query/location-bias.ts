import type { Point } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import { BoxRegion, unitsPerDegree } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import { boxAround, distancesFrom } from '../index/sphere.ts'
import type { Bitmap } from './bitmap.ts'
import { bonus } from './weights.ts'

/** Radii in kilometres to collect nearby documents; the largest with an acceptable number of documents is used. */
const radiiKm = [30, 10, 3]

/** Radius in kilometres within which a place is likely to be meant. */
const closeKm = 100

/** Radius in kilometres beyond which the bonus is bounded instead of computed. */
const farKm = 500

/** Preference for documents of one segment that are close to a point; without a point it has no effect. */
export class LocationBias {
  readonly #segment: Segment
  readonly #near: Point | undefined
  readonly #distanceTo: (latitude: number, longitude: number) => number
  readonly #notFar: BoxRegion | undefined

  constructor(segment: Segment, near: Point | undefined) {
    this.#segment = segment
    this.#near = near
    this.#distanceTo = distancesFrom(near ?? { latitude: 0, longitude: 0 })
    this.#notFar = near && new BoxRegion(boxAround(near, farKm))
  }

  get isActive(): boolean {
    return this.#near !== undefined
  }

  /** Returns true if a document is so close to the point that it is likely to be meant. */
  isClose(doc: number): boolean {
    if (this.#near === undefined) return false
    const { latitude, longitude } = this.#segment.arrays
    return this.#distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree) <= closeKm
  }

  /** Returns the bonus of a document, which is added to its score. */
  bonusOf(doc: number): number {
    if (this.#near === undefined) return 0
    const { latitude, longitude } = this.#segment.arrays
    return (
      bonus.proximity * proximity(this.#distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree))
    )
  }

  /** Returns an upper bound of the bonus of a document, which takes less time for most of them. */
  maxBonusOf(doc: number): number {
    const { latitude, longitude } = this.#segment.arrays
    return this.#notFar === undefined || this.#notFar.contains(longitude[doc]!, latitude[doc]!)
      ? this.bonusOf(doc)
      : bonus.proximity * proximity(farKm)
  }
}

/**
 * Adds the documents of each segment close to a point to a set: those in the largest box with at most `limit` documents
 * of all segments, or in the smallest box. Returns the maximum bonus of all others.
 */
export function addNearby(
  near: Point | undefined,
  segments: readonly Segment[],
  to: readonly Bitmap[],
  limit: number,
  budget: Budget,
): number {
  if (near === undefined) return 0
  const boxes = radiiKm.map(radiusKm => ({ radiusKm, region: new BoxRegion(boxAround(near, radiusKm)) }))
  const countIn = (region: BoxRegion) => segments.reduce((sum, { points }) => sum + points.count(region, budget), 0)
  const { region, radiusKm } = boxes.find(({ region }) => countIn(region) <= limit) ?? boxes.at(-1)!
  for (const [i, { points }] of segments.entries()) {
    points.visit(region, budget, (from, end) => {
      budget.spend((end - from) / 4)
      to[i]!.addRange(points.docs, from, end)
    })
  }
  return bonus.proximity * proximity(radiusKm)
}

/** Returns 1 for a distance of 0, decreasing with the logarithm of the distance to 0 at the antipode. */
const proximity = (km: number): number => Math.max(0, 1 - Math.log1p(km) / logAntipode)
const logAntipode = Math.log1p(20_016)
