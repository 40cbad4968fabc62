import type { Budget } from '../index/budget.ts'
import { peakSize } from '../index/points.ts'
import type { Region } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import type { Test } from './filters.ts'
import type { NearbyArea } from './nearby-area.ts'
import { partition } from './select-page.ts'

/** Steps of a place that is compared with filters, a circle or a rating. */
const stepsPerPlace = 0.5
/** Steps of a block of places that is skipped by its maximum rating. */
const stepsPerBlock = 0.1

/** Scan of the places of one segment within a region that pass the filters. */
export class RegionScan {
  readonly #segment: Segment
  readonly #region: Region
  readonly #passes: Test | undefined
  readonly #budget: Budget

  constructor(segment: Segment, region: Region, passes: Test | undefined, budget: Budget) {
    this.#segment = segment
    this.#region = region
    this.#passes = passes
    this.#budget = budget
  }

  /** Counts the places. Without filters, cells inside the region are counted without looking at their points. */
  count(): number {
    const { points } = this.#segment
    if (this.#passes === undefined) return points.count(this.#region, this.#budget)
    let count = 0
    this.#eachPassing(this.#region, () => {
      count++
    })
    return count
  }

  /**
   * Returns a superset of the nearest `wanted` documents, in any order. `count` is the number of places, which are all
   * within `reachKm`; `closer` returns the region of those within a distance.
   */
  nearest(wanted: number, count: number, { reachKm, closer }: Pick<NearbyArea, 'reachKm' | 'closer'>): number[] {
    // With an even distribution, a circle of this radius contains three times as many places as wanted.
    let narrow = reachKm * Math.sqrt((3 * Math.max(1, wanted)) / count)
    for (; narrow < reachKm; narrow *= 2) {
      const found = this.#gather(closer(narrow), this.#region)
      if (found.length >= wanted) return found
    }
    return this.#gather(this.#region)
  }

  /** Returns the places within a region, and within a second one if given. */
  #gather(region: Region, also?: Region): number[] {
    const { latitude, longitude } = this.#segment.arrays
    const found: number[] = []
    this.#eachPassing(region, doc => {
      if (also === undefined || also.contains(longitude[doc]!, latitude[doc]!)) found.push(doc)
    })
    return found
  }

  /** Visits the places within a region. */
  #eachPassing(region: Region, visit: (doc: number) => void): void {
    const { points } = this.#segment
    const passes = this.#passes
    points.visit(region, this.#budget, (from, to) => {
      for (let at = from; at < to; ) {
        const end = Math.min(to, at + peakSize)
        this.#budget.spend((end - at) * stepsPerPlace)
        for (; at < end; at++) {
          const doc = points.docs[at]!
          if (passes === undefined || passes(doc)) visit(doc)
        }
      }
    })
  }

  /**
   * Returns the best-known `wanted` documents. Documents are numbered by popularity, so the scan ends early in a large
   * region.
   */
  bestKnown(wanted: number): number[] {
    const { count, arrays } = this.#segment
    const found: number[] = []
    for (let doc = 0; doc < count && found.length < wanted; doc++) {
      if (doc % peakSize === 0) this.#budget.spend(peakSize * stepsPerPlace)
      if (!this.#region.contains(arrays.longitude[doc]!, arrays.latitude[doc]!)) continue
      if (this.#passes === undefined || this.#passes(doc)) found.push(doc)
    }
    return found
  }

  /**
   * Returns a superset of the best rated `wanted` documents, in any order. Skips blocks whose maximum rating is too
   * low.
   */
  bestRated(wanted: number): number[] {
    const { points, arrays } = this.#segment
    const ratings = arrays.weightedRating
    const passes = this.#passes
    const budget = this.#budget
    // Equal ratings are ordered by document, that is by popularity.
    const better = (a: number, b: number) => (ratings[a] === ratings[b] ? a < b : ratings[a]! > ratings[b]!)
    let found: number[] = []
    /** Rating of the last of the best `wanted` documents so far. */
    let threshold = wanted > 0 ? 0 : Number.POSITIVE_INFINITY
    points.visit(this.#region, budget, (from, to) => {
      for (let at = from; at < to; ) {
        budget.spend(stepsPerBlock)
        const end = Math.min(to, at - (at % peakSize) + peakSize)
        if (points.ratingPeaks[Math.floor(at / peakSize)]! < threshold) {
          at = end
          continue
        }
        budget.spend((end - at) * stepsPerPlace)
        for (; at < end; at++) {
          const doc = points.docs[at]!
          if (ratings[doc]! < threshold || (passes !== undefined && !passes(doc))) continue
          found.push(doc)
          if (found.length < 2 * wanted + peakSize) continue
          budget.spend(found.length)
          const docs = Uint32Array.from(found)
          partition(docs, 0, docs.length, wanted, better)
          found = Array.from(docs.subarray(0, wanted))
          threshold = found.reduce((least, one) => Math.min(least, ratings[one]!), Number.POSITIVE_INFINITY)
        }
      }
    })
    return found
  }
}
