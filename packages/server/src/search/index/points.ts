import KDBush from 'kdbush'
import type { Box } from '../../domain/search.ts'
import { shared } from './growable.ts'
import { BoxRegion, lies, type Region } from './regions.ts'

/** Points of a leaf of the tree; and points, in the order of the tree, of which the best rating is kept. */
const leafSize = 64
export const peakSize = 64

/** The point tree on disk. */
export interface PointTable {
  /** A static k-d tree over all documents of a segment. */
  readonly points: Uint8Array
  /** The best weighted rating of each `peakSize` points, in the order of the tree. */
  readonly ratingPeaks: Float32Array
}

/** A static k-d tree over all documents of a segment, in memory that workers share. */
export function buildPoints(latitudes: Int32Array, longitudes: Int32Array, weightedRating: Float32Array): PointTable {
  const tree = new KDBush(latitudes.length, leafSize, Int32Array, SharedArrayBuffer)
  for (let doc = 0; doc < latitudes.length; doc++) tree.add(longitudes[doc]!, latitudes[doc]!)
  if (latitudes.length > 0) tree.finish()
  const ratingPeaks = shared(Float32Array, Math.ceil(latitudes.length / peakSize))
  for (let at = 0; at < latitudes.length; at++) {
    const peak = Math.floor(at / peakSize)
    ratingPeaks[peak] = Math.max(ratingPeaks[peak]!, weightedRating[tree.ids[at]!]!)
  }
  return { points: new Uint8Array(tree.data), ratingPeaks }
}

/** What `buildPoints` made, ready to be asked. Points are numbered in the order of the tree. */
export class Points {
  /** The document at each point. */
  readonly docs: ArrayLike<number>
  readonly ratingPeaks: Float32Array
  readonly #coordinates: ArrayLike<number>

  constructor({ points, ratingPeaks }: PointTable) {
    const tree = points.length > 8 ? KDBush.from(points.buffer) : undefined
    this.docs = tree?.ids ?? []
    this.#coordinates = tree?.coords ?? []
    this.ratingPeaks = ratingPeaks
  }

  /** Visits the points of a region as runs, `from` up to, not including, `to`. */
  visit(region: Region, run: (from: number, to: number) => void): void {
    if (this.docs.length > 0) this.#descend(region, run, 0, this.docs.length - 1, 0, ...wholeEarth)
  }

  /** How many points a region holds. */
  count(region: Region): number {
    let count = 0
    this.visit(region, (from, to) => {
      count += to - from
    })
    return count
  }

  #descend(
    region: Region,
    run: (from: number, to: number) => void,
    left: number,
    right: number,
    axis: 0 | 1,
    west: number,
    south: number,
    east: number,
    north: number,
  ): void {
    if (right < left) return
    const relation = region.relation(west, south, east, north)
    if (relation === lies.outside) return
    if (relation === lies.inside) {
      run(left, right + 1)
      return
    }
    const coordinates = this.#coordinates
    if (right - left <= leafSize) {
      for (let at = left; at <= right; at++)
        if (region.holds(coordinates[2 * at]!, coordinates[2 * at + 1]!)) run(at, at + 1)
      return
    }
    const middle = (left + right) >> 1
    const x = coordinates[2 * middle]!
    const y = coordinates[2 * middle + 1]!
    if (axis === 0) this.#descend(region, run, left, middle - 1, 1, west, south, x, north)
    else this.#descend(region, run, left, middle - 1, 0, west, south, east, y)
    if (region.holds(x, y)) run(middle, middle + 1)
    if (axis === 0) this.#descend(region, run, middle + 1, right, 1, x, south, east, north)
    else this.#descend(region, run, middle + 1, right, 0, west, y, east, north)
  }

  /** Documents within a box, edges included, each once, in no order. */
  within(box: Box): number[] {
    const found: number[] = []
    const { docs } = this
    this.visit(new BoxRegion(box), (from, to) => {
      for (let at = from; at < to; at++) found.push(docs[at]!)
    })
    return found
  }
}

const wholeEarth = [-180e7, -90e7, 180e7, 90e7] as const
