import type { NearbyQuery, NearbyResult } from '../domain/search.ts'
import type { Budget } from './budget.ts'
import { compileFilters } from './filter.ts'
import { Growable } from './growable.ts'
import { unitsPerDegree } from './points.ts'
import { rankedBefore, type Snapshot } from './snapshot.ts'
import { bearing, boxAround, distancesFrom, middle } from './sphere.ts'
import { least } from './top.ts'

/**
 * Places within a circle or a box, all counted. By distance, or by confidence-weighted rating; equals by popularity
 * and id. undefined: the budget ran out.
 */
export function nearbyPlaces(snapshot: Snapshot, query: NearbyQuery, budget: Budget): NearbyResult | undefined {
  const circle = 'box' in query.within ? undefined : query.within
  const box = 'box' in query.within ? query.within.box : boxAround(query.within.centre, query.within.radiusKm)
  const centre = circle?.centre ?? middle(box)
  const distanceTo = distancesFrom(centre)
  const found = {
    part: new Growable(Uint8Array, 64),
    doc: new Growable(Uint32Array, 64),
    km: new Growable(Float64Array, 64),
  }
  for (const [part, { segment, dead }] of snapshot.parts.entries()) {
    const { latitude, longitude } = segment.arrays
    const passes = compileFilters(segment, query)
    const docs = segment.points.within(box)
    budget.spend(2 * docs.length)
    if (budget.exhausted) return undefined
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      if (dead?.[doc] === 1 || (passes !== undefined && !passes(doc))) continue
      const km = distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree)
      if (circle !== undefined && km > circle.radiusKm) continue
      found.part.push(part)
      found.doc.push(doc)
      found.km.push(km)
    }
  }
  const [parts, docs, km] = [found.part.view(), found.doc.view(), found.km.view()]
  const ranked = rankedBefore(snapshot.parts, parts, docs)
  const ratings = snapshot.parts.map(({ segment }) => segment.arrays.weightedRating)
  const nearer = (a: number, b: number) => (km[a] !== km[b] ? km[a]! < km[b]! : ranked(a, b))
  const better = (a: number, b: number) => {
    const ratingA = ratings[parts[a]!]![docs[a]!]!
    const ratingB = ratings[parts[b]!]![docs[b]!]!
    return ratingA !== ratingB ? ratingA > ratingB : ranked(a, b)
  }
  const page = least(docs.length, query.offset + query.limit, query.sort === 'distance' ? nearer : better)
  return {
    hits: page.slice(query.offset).map(i => {
      const { id, latitude, longitude } = snapshot.parts[parts[i]!]!.segment.arrays
      const doc = docs[i]!
      const place = { latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree }
      return { id: id[doc]!, distanceKm: km[i]!, bearing: bearing(centre, place) }
    }),
    total: docs.length,
    revision: snapshot.revision,
  }
}
