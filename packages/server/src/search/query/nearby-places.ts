import type { NearbyQuery, NearbyResult } from '../../domain/search.ts'
import { type IndexView, rankedBefore } from '../index/index-view.ts'
import { peakSize } from '../index/points.ts'
import { BoxRegion, CircleRegion, type Region, unitsPerDegree } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import { bearing, boxAround, distancesFrom, middle } from '../index/sphere.ts'
import type { Budget } from './budget.ts'
import { allOf, compileFilters, type Test } from './filter.ts'
import { least } from './top.ts'

/**
 * Places within a circle or a box, all counted. By distance, or by confidence-weighted rating; equals by popularity
 * and id. undefined: the budget ran out. Only as many places are compared as can come onto the page.
 */
export function nearbyPlaces(view: IndexView, query: NearbyQuery, budget: Budget): NearbyResult | undefined {
  const circle = 'box' in query.within ? undefined : query.within
  const box = 'box' in query.within ? query.within.box : boxAround(query.within.centre, query.within.radiusKm)
  const centre = circle?.centre ?? middle(box)
  const distanceTo = distancesFrom(centre)
  const region = circle ? new CircleRegion(circle.centre, circle.radiusKm) : new BoxRegion(box)
  const wanted = query.offset + query.limit
  const [parts, docs]: [number[], number[]] = [[], []]
  let total = 0
  for (const [number, { segment, dead }] of view.parts.entries()) {
    const passes = allOf([dead && (doc => dead[doc] !== 1), compileFilters(segment, query)])
    const look = new Look(segment, region, passes, budget)
    const count = look.count(region)
    if (budget.exhausted) return undefined
    total += count
    const found =
      query.sort === 'rating'
        ? look.bestRated(wanted)
        : look.nearest(wanted, count, radiusKm => new CircleRegion(centre, radiusKm), circle?.radiusKm ?? halfWay)
    if (budget.exhausted) return undefined
    for (const doc of found) {
      parts.push(number)
      docs.push(doc)
    }
  }
  const km = docs.map((doc, i) => {
    const { latitude, longitude } = view.parts[parts[i]!]!.segment.arrays
    return distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree)
  })
  const ranked = rankedBefore(view.parts, parts, docs)
  const ratings = docs.map((doc, i) => view.parts[parts[i]!]!.segment.arrays.weightedRating[doc]!)
  const nearer = (a: number, b: number) => (km[a] !== km[b] ? km[a]! < km[b]! : ranked(a, b))
  const better = (a: number, b: number) => (ratings[a] !== ratings[b] ? ratings[a]! > ratings[b]! : ranked(a, b))
  const page = least(docs.length, wanted, query.sort === 'distance' ? nearer : better)
  return {
    hits: page.slice(query.offset).map(i => {
      const { id, latitude, longitude } = view.parts[parts[i]!]!.segment.arrays
      const doc = docs[i]!
      const place = { latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree }
      return { id: id[doc]!, distanceKm: km[i]!, bearing: bearing(centre, place) }
    }),
    total,
    revision: view.revision,
  }
}

/** About half the Earth's circumference in kilometres: no place is further from another. */
const halfWay = 20_016

/** One segment, looked at for places in a region that pass. */
class Look {
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

  /** How many places there are in a region. */
  count(region: Region): number {
    const { points } = this.#segment
    const passes = this.#passes
    const docs = points.docs
    let count = 0
    let runs = 0
    points.visit(region, (from, to) => {
      runs++
      if (passes === undefined) count += to - from
      else if (!this.#budget.exhausted) {
        this.#budget.spend((to - from) / 2)
        for (let at = from; at < to; at++) if (passes(docs[at]!)) count++
      }
    })
    this.#budget.spend(runs)
    return count
  }

  /** Documents of which the nearest `wanted` are among; `count` of them lie within `radiusKm`. */
  nearest(wanted: number, count: number, circle: (radiusKm: number) => Region, radiusKm: number): number[] {
    // Were they spread evenly, this circle would hold three times as many as are wanted.
    let narrow = radiusKm * Math.sqrt((3 * Math.max(1, wanted)) / count)
    for (; narrow < radiusKm && !this.#budget.exhausted; narrow *= 2) {
      const found = this.#gather(circle(narrow), this.#region)
      if (found.length >= wanted) return found
    }
    return this.#gather(this.#region)
  }

  #gather(region: Region, also?: Region): number[] {
    const { points, arrays } = this.#segment
    const passes = this.#passes
    const found: number[] = []
    points.visit(region, (from, to) => {
      for (let at = from; at < to; at++) {
        const doc = points.docs[at]!
        if (also !== undefined && !also.holds(arrays.longitude[doc]!, arrays.latitude[doc]!)) continue
        if (passes === undefined || passes(doc)) found.push(doc)
      }
    })
    this.#budget.spend(found.length)
    return found
  }

  /** Documents of which the best rated `wanted` are among. */
  bestRated(wanted: number): number[] {
    const { points, arrays } = this.#segment
    const ratings = arrays.weightedRating
    const passes = this.#passes
    let found: number[] = []
    /** The rating of the last of the best so far. */
    let least = 0
    let compared = 0
    points.visit(this.#region, (from, to) => {
      for (let at = from; at < to; ) {
        const end = Math.min(to, at - (at % peakSize) + peakSize)
        if (points.ratingPeaks[Math.floor(at / peakSize)]! < least) {
          at = end
          continue
        }
        compared += end - at
        for (; at < end; at++) {
          const doc = points.docs[at]!
          if (ratings[doc]! < least || (passes !== undefined && !passes(doc))) continue
          found.push(doc)
          if (found.length < 2 * wanted + peakSize) continue
          // Documents are numbered by popularity.
          found = found.sort((a, b) => ratings[b]! - ratings[a]! || a - b).slice(0, wanted)
          least = wanted > 0 ? ratings[found[wanted - 1]!]! : Number.POSITIVE_INFINITY
        }
      }
    })
    this.#budget.spend(compared / 2)
    return found
  }
}
