import { peakSize } from '../index/points.ts'
import type { Region } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import type { Budget } from './budget.ts'
import type { Test } from './filters.ts'

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
    const passes = this.#passes
    const docs = points.docs
    let count = 0
    let ranges = 0
    points.visit(this.#region, (from, to) => {
      ranges++
      if (passes === undefined) count += to - from
      else if (!this.#budget.exhausted) {
        this.#budget.spend((to - from) / 2)
        for (let at = from; at < to; at++) if (passes(docs[at]!)) count++
      }
    })
    this.#budget.spend(ranges)
    return count
  }

  /**
   * Returns a superset of the nearest `wanted` documents, in any order. `count` is the number of places, all within
   * `radiusKm` of the centre; `circle` returns a circle around the centre.
   */
  nearest(wanted: number, count: number, circle: (radiusKm: number) => Region, radiusKm: number): number[] {
    // With an even distribution, this circle contains three times as many places as wanted.
    let narrow = radiusKm * Math.sqrt((3 * Math.max(1, wanted)) / count)
    for (; narrow < radiusKm && !this.#budget.exhausted; narrow *= 2) {
      const found = this.#gather(circle(narrow), this.#region)
      if (found.length >= wanted) return found
    }
    return this.#gather(this.#region)
  }

  /** Returns the places within a region, and within a second one if given. */
  #gather(region: Region, also?: Region): number[] {
    const { points, arrays } = this.#segment
    const passes = this.#passes
    const found: number[] = []
    points.visit(region, (from, to) => {
      for (let at = from; at < to; at++) {
        const doc = points.docs[at]!
        if (also !== undefined && !also.contains(arrays.longitude[doc]!, arrays.latitude[doc]!)) continue
        if (passes === undefined || passes(doc)) found.push(doc)
      }
    })
    this.#budget.spend(found.length)
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
    let found: number[] = []
    /** Rating of the last of the best `wanted` documents so far. */
    let threshold = 0
    let compared = 0
    points.visit(this.#region, (from, to) => {
      for (let at = from; at < to; ) {
        const end = Math.min(to, at - (at % peakSize) + peakSize)
        if (points.ratingPeaks[Math.floor(at / peakSize)]! < threshold) {
          at = end
          continue
        }
        compared += end - at
        for (; at < end; at++) {
          const doc = points.docs[at]!
          if (ratings[doc]! < threshold || (passes !== undefined && !passes(doc))) continue
          found.push(doc)
          if (found.length < 2 * wanted + peakSize) continue
          // Equal ratings are ordered by document, that is by popularity.
          found = found.sort((a, b) => ratings[b]! - ratings[a]! || a - b).slice(0, wanted)
          threshold = wanted > 0 ? ratings[found[wanted - 1]!]! : Number.POSITIVE_INFINITY
        }
      }
    })
    this.#budget.spend(compared / 2)
    return found
  }
}
