import KDBush from 'kdbush'
import type { Budget } from './budget.ts'
import { cellRelation, type Region } from './regions.ts'
import { sharedArray } from './typed-arrays.ts'

/** Maximum number of points in a leaf of the k-d tree. */
const leafSize = 64
/** Number of consecutive points, in tree order, that share one entry of `ratingPeaks`. */
export const peakSize = 64

/** Arrays of the point index. Points are numbered in the order of the k-d tree. */
export interface PointTable {
  /** Serialized KDBush over all documents; x is longitude and y latitude, in units of 1e-7 degrees. */
  readonly points: Uint8Array
  /** Maximum weighted rating of each block of `peakSize` points. */
  readonly ratingPeaks: Float32Array
}

/** Builds a static k-d tree (Bentley 1975, implementation: KDBush) over all documents, in shared memory. */
export function buildPoints(latitudes: Int32Array, longitudes: Int32Array, weightedRating: Float32Array): PointTable {
  const tree = new KDBush(latitudes.length, leafSize, Int32Array, SharedArrayBuffer)
  for (let doc = 0; doc < latitudes.length; doc++) tree.add(longitudes[doc]!, latitudes[doc]!)
  if (latitudes.length > 0) tree.finish()
  const ratingPeaks = sharedArray(Float32Array, Math.ceil(latitudes.length / peakSize))
  for (let at = 0; at < latitudes.length; at++) {
    const peak = Math.floor(at / peakSize)
    ratingPeaks[peak] = Math.max(ratingPeaks[peak]!, weightedRating[tree.ids[at]!]!)
  }
  return { points: new Uint8Array(tree.data), ratingPeaks }
}

/** Read access to the point index. */
export class Points {
  /** Document of each point. */
  readonly docs: ArrayLike<number>
  /** Maximum weighted rating of each block of `peakSize` points. */
  readonly ratingPeaks: Float32Array
  /** x and y of each point, interleaved. */
  readonly #coordinates: ArrayLike<number>

  constructor({ points, ratingPeaks }: PointTable) {
    const tree = points.length > 8 ? KDBush.from(points.buffer) : undefined
    this.docs = tree?.ids ?? []
    this.#coordinates = tree?.coords ?? []
    this.ratingPeaks = ratingPeaks
  }

  /** Visits the points in a region as ranges of point numbers; `to` is exclusive. */
  visit(region: Region, budget: Budget, visitRange: (from: number, to: number) => void): void {
    if (this.docs.length > 0) this.#descend(region, budget, visitRange, 0, this.docs.length - 1, 0, ...wholeEarth)
  }

  /** Counts the points in a region. */
  count(region: Region, budget: Budget): number {
    let count = 0
    this.visit(region, budget, (from, to) => {
      count += to - from
    })
    return count
  }

  /**
   * Descends into the subtree of the points `left` to `right` (inclusive), whose cell has the given edges. A cell that
   * is entirely inside the region is one range; its points are not compared.
   */
  #descend(
    region: Region,
    budget: Budget,
    visitRange: (from: number, to: number) => void,
    left: number,
    right: number,
    axis: 0 | 1,
    west: number,
    south: number,
    east: number,
    north: number,
  ): void {
    if (right < left) return
    budget.spend(1)
    const relation = region.relation(west, south, east, north)
    if (relation === cellRelation.outside) return
    if (relation === cellRelation.inside) {
      visitRange(left, right + 1)
      return
    }
    const coordinates = this.#coordinates
    if (right - left <= leafSize) {
      budget.spend((right - left) / 4)
      for (let at = left; at <= right; at++)
        if (region.contains(coordinates[2 * at]!, coordinates[2 * at + 1]!)) visitRange(at, at + 1)
      return
    }
    const middle = (left + right) >> 1
    const x = coordinates[2 * middle]!
    const y = coordinates[2 * middle + 1]!
    if (axis === 0) this.#descend(region, budget, visitRange, left, middle - 1, 1, west, south, x, north)
    else this.#descend(region, budget, visitRange, left, middle - 1, 0, west, south, east, y)
    if (region.contains(x, y)) visitRange(middle, middle + 1)
    if (axis === 0) this.#descend(region, budget, visitRange, middle + 1, right, 1, x, south, east, north)
    else this.#descend(region, budget, visitRange, middle + 1, right, 0, west, y, east, north)
  }
}

/** West, south, east and north edge of the root cell. */
const wholeEarth = [-180e7, -90e7, 180e7, 90e7] as const
