import type { NearbyQuery, NearbyResult } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexView, rankOrder } from '../index/index-view.ts'
import { unitsPerDegree } from '../index/regions.ts'
import { allOf, compileFilters } from './filters.ts'
import { prepareArea } from './nearby-area.ts'
import { RegionScan } from './region-scan.ts'
import { selectPage } from './select-page.ts'

/**
 * Finds places within an area, by distance, by confidence-weighted rating or by rank. Counts all places, but compares
 * only those that can reach the page, within a budget.
 */
export function nearbyPlaces(view: IndexView, query: NearbyQuery, budget: Budget): NearbyResult {
  const area = prepareArea(query.within, budget)
  const wanted = query.offset + query.limit
  const [parts, docs]: [number[], number[]] = [[], []]
  let total = 0
  for (const [number, { segment, dead }] of view.parts.entries()) {
    const passes = allOf([dead && (doc => dead[doc] !== 1), compileFilters(segment, query, budget)])
    const scan = new RegionScan(segment, area.region, passes, budget)
    const count = scan.count()
    total += count
    const found = {
      rating: () => scan.bestRated(wanted),
      popularity: () => scan.bestKnown(wanted),
      distance: () => scan.nearest(wanted, count, area),
    }[query.sort]()
    for (const doc of found) {
      parts.push(number)
      docs.push(doc)
    }
  }
  budget.spend(docs.length)
  const arraysOf = (i: number) => view.parts[parts[i]!]!.segment.arrays
  const pointOf = (i: number) => {
    const { latitude, longitude } = arraysOf(i)
    const doc = docs[i]!
    return { latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree }
  }
  const km = (i: number) => (query.sort === 'distance' ? values[i]! : area.kmTo(pointOf(i)))
  // Lower is first.
  const value = {
    distance: (i: number) => area.kmTo(pointOf(i)),
    rating: (i: number) => -arraysOf(i).weightedRating[docs[i]!]!,
    popularity: () => 0,
  }[query.sort]
  const values = new Float64Array(docs.length)
  for (let i = 0; i < docs.length; i++) values[i] = value(i)
  const byRank = rankOrder(view.parts, parts, docs)
  const before = (a: number, b: number) => (values[a] === values[b] ? byRank(a, b) : values[a]! < values[b]!)
  budget.spend(docs.length / 2)
  const page = selectPage(docs.length, query, before)
  return {
    hits: page.map(i => ({
      id: arraysOf(i).id[docs[i]!]!,
      distanceKm: km(i),
      bearing: area.bearingTo(pointOf(i)),
    })),
    total,
    revision: view.revision,
  }
}
