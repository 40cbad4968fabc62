import { Growable } from '../../../kit/growable.ts'
import type { Budget } from '../../index/budget.ts'
import type { IndexPart } from '../../index/index-view.ts'
import { BoxRegion, unitsPerDegree } from '../../index/regions.ts'
import type { Segment } from '../../index/segment.ts'
import { boxAround, distancesFrom } from '../../index/sphere.ts'
import { reservedTerm } from '../../text/reserved-terms.ts'
import { areasNamed, areaTest, isNamedFirst } from '../area-filter.ts'
import type { Test } from '../filters.ts'
import type { ReadPlace } from './read-place.ts'

/** Documents of one part in a place. */
export interface PlaceDocuments {
  /** Ascending and distinct, including dead ones, without the document of the place. */
  readonly docs: Uint32Array
  /** Areas with a name of the place; places in the circle may be in others. */
  readonly areas: ReadonlySet<number>
}

/** Returns the documents of one part in a place, to be searched. */
export function placeDocuments(part: IndexPart, place: ReadPlace, budget: Budget): PlaceDocuments {
  const found = documentsIn(part, place, budget)
  // Those of a country or of regions are ascending.
  if (isCountry(place)) return { docs: found, areas: new Set() }
  budget.spend(found.length / 4)
  const own = place.id === undefined ? -1 : part.segment.find(place.id)
  const docs = found.filter(doc => doc !== own).sort()
  return { docs, areas: new Set(place.names.flatMap(name => [...areasNamed(part.segment, name, budget)])) }
}

/** Returns the distinct documents of one part in a place, including dead ones. */
export function documentsIn({ segment }: IndexPart, place: ReadPlace, budget: Budget): Uint32Array {
  const { arrays } = segment
  if (place.postalCode !== undefined) return documentsWithCode(segment, place.postalCode, budget)
  if (place.regions !== undefined) return documentsOfRegions(segment, place.regions)
  const country = countryOf(segment, place)
  if (country > 0 && isCountry(place)) {
    return arrays.countryDocs.subarray(arrays.countryStart[country]!, arrays.countryStart[country + 1]!)
  }
  const isInside = insideTest(segment, place, budget)
  const isDeclared = declaredTest(segment, place, budget)
  const docs = new Growable(Uint32Array, 64)
  const { areaDocStart, areaDocs } = arrays
  for (const area of isDeclared.areas) {
    budget.spend((areaDocStart[area + 1]! - areaDocStart[area]!) / 4)
    for (let at = areaDocStart[area]!; at < areaDocStart[area + 1]!; at++) {
      const doc = areaDocs[at]!
      if (isInside(doc) && isDeclared.test(doc)) docs.push(doc)
    }
  }
  eachInCircle(segment, place, budget, doc => {
    if (isInside(doc) && !isDeclared.test(doc)) docs.push(doc)
  })
  return docs.view()
}

/**
 * Returns the areas with a name of a place, and a test for their documents. Where a name is that of a larger area ("New
 * York" after "Buffalo"), or a namesake is in the same country, the documents have to be close as well.
 */
function declaredTest(segment: Segment, place: ReadPlace, budget: Budget) {
  const { area } = segment.arrays
  const isNear = reachTest(segment, place)
  const isUnique = !place.namesakes?.some(({ country }) => country === place.country)
  /** True for an area whose documents have to be close. */
  const areas = new Map<number, boolean>()
  for (const name of place.names)
    for (const one of areasNamed(segment, name, budget))
      areas.set(one, areas.get(one) !== false && !(isUnique && isNamedFirst(segment, one, name)))
  const test = (doc: number) => {
    const mustBeNear = areas.get(area[doc]!)
    return mustBeNear === false || (mustBeNear === true && isNear(doc))
  }
  return { areas: areas.keys(), test }
}

/** Documents whose postal codes are compared in one step. */
const codesPerStep = 2048

/** Returns the documents with a postal code that begins with a code, ascending. */
function documentsWithCode({ arrays, terms, count }: Segment, code: string, budget: Budget): Uint32Array {
  const [from, to] = terms.range(reservedTerm.postalCode(code))
  const docs = new Growable(Uint32Array, 64)
  if (to === from) return docs.view()
  budget.spend(count / codesPerStep)
  const { postal } = arrays
  for (let doc = 0; doc < count; doc++) if (postal[doc]! > from && postal[doc]! <= to) docs.push(doc)
  return docs.view()
}

/** Returns true if a place is a country or a region as a whole. */
const isCountry = ({ names, centre, postalCode }: ReadPlace): boolean =>
  names.length === 0 && centre === undefined && postalCode === undefined

/** Returns the documents of regions, ascending. */
function documentsOfRegions(segment: Segment, regions: readonly string[]): Uint32Array {
  const { regionStart, regionDocs } = segment.arrays
  const docs = new Growable(Uint32Array, 64)
  for (const [region, isWanted] of segment.regionsOf(regions)?.entries() ?? []) {
    if (isWanted === 0) continue
    for (let at = regionStart[region]!; at < regionStart[region + 1]!; at++) docs.push(regionDocs[at]!)
  }
  return docs.view().sort()
}

/** Returns the country of a place as numbered in the segment, or 0. */
const countryOf = ({ facts }: Segment, { country }: ReadPlace): number =>
  country === undefined ? 0 : facts.countries.indexOf(country) + 1

/** Returns a test for documents that are in the country and in the additional area of a place. */
function insideTest(segment: Segment, place: ReadPlace, budget: Budget): Test {
  const { country } = segment.arrays
  const number = countryOf(segment, place)
  const isWithin = place.within === undefined ? undefined : areaTest(segment, place.within, budget, true)
  return doc =>
    (number === 0 || country[doc] === 0 || country[doc] === number) && (isWithin === undefined || isWithin(doc))
}

/** Returns a test for documents that are so close that the name of their area is not that of a namesake. */
function reachTest({ arrays }: Segment, { centre, reachKm }: ReadPlace): Test {
  if (centre === undefined || reachKm === undefined) return () => true
  const { latitude, longitude } = arrays
  const distanceTo = distancesFrom(centre)
  return doc => distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree) <= reachKm
}

/** Visits the documents in the circle of a place, if it has one. */
function eachInCircle(
  { arrays, points }: Segment,
  { centre, radiusKm }: ReadPlace,
  budget: Budget,
  visit: (doc: number) => void,
): void {
  if (centre === undefined) return
  const { latitude, longitude } = arrays
  const distanceTo = distancesFrom(centre)
  points.visit(new BoxRegion(boxAround(centre, radiusKm)), budget, (from, to) => {
    for (let at = from; at < to; at++) {
      budget.spend(1)
      const doc = points.docs[at]!
      if (distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree) <= radiusKm) visit(doc)
    }
  })
}
