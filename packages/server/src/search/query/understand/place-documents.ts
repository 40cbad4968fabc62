import type { Budget } from '../../index/budget.ts'
import type { IndexPart } from '../../index/index-view.ts'
import { CircleRegion } from '../../index/regions.ts'
import type { Segment } from '../../index/segment.ts'
import { reservedTerm } from '../../text/reserved-terms.ts'
import { areasNamed, areaTest, isNamedFirst } from '../area-filter.ts'
import { Bitmap } from '../bitmap.ts'
import type { Test } from '../filters.ts'
import type { ReadPlace } from './read-place.ts'

/** Documents whose postal codes are compared, or whose bits are cleared, in one step. */
const documentsPerStep = 2048

/** Visits ranges of lists of documents; `to` is exclusive. */
type VisitRange = (docs: ArrayLike<number>, from: number, to: number) => void

/** Documents of one part in a place, including dead ones. */
export class PlaceDocuments {
  /** Areas with a name of the place; places in its circle may be in others. */
  readonly areas: ReadonlySet<number>
  /** Returns true if a document is in the place. */
  readonly has: Test
  readonly #segment: Segment
  readonly #place: ReadPlace
  readonly #budget: Budget
  #size: number | undefined
  #docs: Uint32Array | undefined

  /** `own` is the document of the place if it is left out, else -1. */
  constructor(segment: Segment, place: ReadPlace, own: number, budget: Budget) {
    this.#segment = segment
    this.#place = place
    this.#budget = budget
    const { areas, has } = memberTest(segment, place, budget)
    this.areas = areas
    this.has = own < 0 ? has : doc => doc !== own && has(doc)
  }

  /** Upper bound of the number of documents. */
  get size(): number {
    this.#size ??= sizeOf(this.#segment, this.#place, this.areas, this.#budget)
    return this.#size
  }

  /** All documents, ascending and distinct; listed when they are first needed. */
  get docs(): Uint32Array {
    this.#docs ??= this.#list()
    return this.#docs
  }

  #list(): Uint32Array {
    const { count } = this.#segment
    this.#budget.spend(count / documentsPerStep)
    const listed = Bitmap.of(this.#segment, 'inPlace')
    if (this.#place.postalCode !== undefined) {
      for (let doc = 0; doc < count; doc++) if (this.has(doc)) listed.add(doc)
      return listed.members()
    }
    eachListed(this.#segment, this.#place, this.areas, this.#budget, (docs, from, to) => {
      this.#budget.spend((to - from) / 4)
      for (let at = from; at < to; at++) if (this.has(docs[at]!)) listed.add(docs[at]!)
    })
    return listed.members()
  }

  /** Returns the documents of a list that are in the place, in the memory of the list. */
  intersect(list: Uint32Array): Uint32Array {
    this.#budget.spend(list.length / 2)
    let count = 0
    for (let i = 0; i < list.length; i++) if (this.has(list[i]!)) list[count++] = list[i]!
    return list.subarray(0, count)
  }
}

/** Returns the documents of one part in a place, without the document of the place itself. */
export function placeDocuments({ segment }: IndexPart, place: ReadPlace, budget: Budget): PlaceDocuments {
  const own = isWhole(place) || place.id === undefined ? -1 : segment.find(place.id)
  return new PlaceDocuments(segment, place, own, budget)
}

/** Returns the distinct documents of one part in a place, ascending. */
export const documentsIn = ({ segment }: IndexPart, place: ReadPlace, budget: Budget): Uint32Array =>
  new PlaceDocuments(segment, place, -1, budget).docs

/** Returns true if a place is a country or regions as a whole. */
const isWhole = ({ names, centre, postalCode }: ReadPlace): boolean =>
  names.length === 0 && centre === undefined && postalCode === undefined

/** Returns a test for the documents in a place, and the areas with a name of it. */
function memberTest(segment: Segment, place: ReadPlace, budget: Budget): Pick<PlaceDocuments, 'areas' | 'has'> {
  const { postal, region, country, latitude, longitude } = segment.arrays
  const areas = new Set<number>()
  if (place.postalCode !== undefined) {
    const [from, to] = segment.terms.range(reservedTerm.postalCode(place.postalCode))
    return { areas, has: doc => postal[doc]! > from && postal[doc]! <= to }
  }
  const regions = place.regions === undefined ? undefined : segment.regionsOf(place.regions)
  const isInRegion = (doc: number) => regions?.[region[doc]!] === 1
  if (place.regions !== undefined && isWhole(place)) return { areas, has: isInRegion }
  const number = countryOf(segment, place)
  if (number > 0 && isWhole(place)) return { areas, has: doc => country[doc] === number }
  const isInside = insideTest(segment, place, budget)
  const declared = declaredTest(segment, place, budget)
  const circle = place.centre && new CircleRegion(place.centre, place.radiusKm)
  const has = (doc: number) =>
    isInside(doc) &&
    (isInRegion(doc) || declared.test(doc) || circle?.contains(longitude[doc]!, latitude[doc]!) === true)
  return { areas: declared.areas, has }
}

/** Returns an upper bound of the number of documents in a place. */
function sizeOf(segment: Segment, place: ReadPlace, areas: ReadonlySet<number>, budget: Budget): number {
  if (place.postalCode !== undefined) return segment.count
  let size = 0
  eachListed(segment, place, areas, budget, (_docs, from, to) => {
    size += to - from
  })
  return size
}

/** Visits lists that have all documents in a place; some have other documents, and some documents are in several. */
function eachListed(
  segment: Segment,
  place: ReadPlace,
  areas: ReadonlySet<number>,
  budget: Budget,
  visit: VisitRange,
): void {
  const { arrays, points } = segment
  const { countryStart, countryDocs, regionStart, regionDocs, areaDocStart, areaDocs } = arrays
  for (const region of segment.regionNumbers(place.regions ?? []))
    visit(regionDocs, regionStart[region]!, regionStart[region + 1]!)
  if (isWhole(place)) {
    const country = place.regions === undefined ? countryOf(segment, place) : 0
    if (country > 0) visit(countryDocs, countryStart[country]!, countryStart[country + 1]!)
    return
  }
  for (const area of areas) visit(areaDocs, areaDocStart[area]!, areaDocStart[area + 1]!)
  const circle = place.centre && new CircleRegion(place.centre, place.radiusKm)
  if (circle) points.visit(circle, budget, (from, to) => visit(points.docs, from, to))
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
  return { areas: new Set(areas.keys()), test }
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
  const circle = new CircleRegion(centre, reachKm)
  return doc => circle.contains(longitude[doc]!, latitude[doc]!)
}
