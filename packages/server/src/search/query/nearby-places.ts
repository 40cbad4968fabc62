import { centreOf, type NearbyQuery, type NearbyResult } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexView, rankOrder } from '../index/index-view.ts'
import { BoxRegion, CircleRegion, unitsPerDegree } from '../index/regions.ts'
import { bearing, boxAround, distancesFrom } from '../index/sphere.ts'
import { allOf, compileFilters } from './filters.ts'
import { RegionScan } from './region-scan.ts'
import { selectPage } from './select-page.ts'

/** About half the Earth's circumference in kilometres, the maximum distance between two points. */
const maxDistanceKm = 20_016

/**
 * Finds places within a circle or a box, by distance, by confidence-weighted rating or by rank. Counts all places,
 * but compares only those that can reach the page, within a budget.
 */
export function nearbyPlaces(view: IndexView, query: NearbyQuery, budget: Budget): NearbyResult {
  const circle = 'box' in query.within ? undefined : query.within
  const box = 'box' in query.within ? query.within.box : boxAround(query.within.centre, query.within.radiusKm)
  const centre = circle?.centre ?? centreOf(box)
  const distanceTo = distancesFrom(centre)
  const region = circle ? new CircleRegion(circle.centre, circle.radiusKm) : new BoxRegion(box)
  const wanted = query.offset + query.limit
  const [parts, docs]: [number[], number[]] = [[], []]
  let total = 0
  for (const [number, { segment, dead }] of view.parts.entries()) {
    const passes = allOf([dead && (doc => dead[doc] !== 1), compileFilters(segment, query, budget)])
    const scan = new RegionScan(segment, region, passes, budget)
    const count = scan.count()
    total += count
    const found = {
      rating: () => scan.bestRated(wanted),
      popularity: () => scan.bestKnown(wanted),
      distance: () =>
        scan.nearest(wanted, count, radiusKm => new CircleRegion(centre, radiusKm), circle?.radiusKm ?? maxDistanceKm),
    }[query.sort]()
    for (const doc of found) {
      parts.push(number)
      docs.push(doc)
    }
  }
  budget.spend(docs.length)
  const arraysOf = (i: number) => view.parts[parts[i]!]!.segment.arrays
  const km = (i: number) => {
    const { latitude, longitude } = arraysOf(i)
    const doc = docs[i]!
    return distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree)
  }
  // Lower is first.
  const value = {
    distance: km,
    rating: (i: number) => -arraysOf(i).weightedRating[docs[i]!]!,
    popularity: () => 0,
  }[query.sort]
  const values = Float64Array.from(docs, (_, i) => value(i))
  const byRank = rankOrder(view.parts, parts, docs)
  const before = (a: number, b: number) => (values[a] === values[b] ? byRank(a, b) : values[a]! < values[b]!)
  budget.spend(docs.length / 2)
  const page = selectPage(docs.length, query, before)
  return {
    hits: page.map(i => {
      const { id, latitude, longitude } = arraysOf(i)
      const doc = docs[i]!
      const place = { latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree }
      return { id: id[doc]!, distanceKm: km(i), bearing: bearing(centre, place) }
    }),
    total,
    revision: view.revision,
  }
}
