import { topLevelCategories } from '../../domain/category.ts'
import type { Id } from '../../domain/id.ts'
import type { DestinationQuery } from '../../domain/recommendation.ts'
import type { Point } from '../../domain/search.ts'
import { countryNamed } from '../../gazetteer/countries.ts'
import { Growable } from '../../kit/growable.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexPart, type IndexView, isRankedBefore } from '../index/index-view.ts'
import { BoxRegion, unitsPerDegree } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import { boxAround, distancesFrom } from '../index/sphere.ts'
import { lengthOfText } from '../index/texts.ts'
import { areasNamed, areaTest, hasName } from '../query/area-filter.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import { tokens } from '../text/tokens.ts'
import { destinationRadiusKm } from './recommendation-weights.ts'

/**
 * Region in which to look for recommendations. Documents belong to it if one of their areas has one of its
 * names, or if they are within the circle; without names, all documents of the country do.
 */
export interface Destination {
  /** Names of areas, each as tokens or one reserved term. */
  readonly names: readonly (readonly string[])[]
  /** ISO 3166-1 alpha-2 code of the country that documents have to be in, as far as their country is known. */
  readonly country?: string
  /** Name of an additional area that documents have to be in: "Georgia" in "Athens, Georgia". */
  readonly within?: string
  readonly centre?: Point
  /** Radius of the circle around `centre`. */
  readonly radiusKm: number
  /** Popularity of the place that the destination is named after, 0 to 1. */
  readonly popularity: number
}

/** Maximum number of documents to search for the GEO document of a name, most popular first. */
const maxNamesakes = 10_000

const geo = topLevelCategories.indexOf('GEO')

/**
 * Finds the destination with a name: a country, else the most popular GEO document of that name, else areas of that
 * name without a separate document. Returns undefined if the name is unknown.
 */
export function destinationNamed(
  { parts }: IndexView,
  words: readonly string[],
  budget: Budget,
  within?: string,
): Destination | undefined {
  budget.spend(10)
  const country = within === undefined ? countryNamed(words.join(' ')) : undefined
  if (country !== undefined && parts.some(({ segment }) => segment.facts.countries.includes(country))) {
    return { names: [], country, radiusKm: 0, popularity: 1 }
  }
  const inside = within === undefined ? {} : { within }
  const [found] = parts
    .flatMap(part => {
      const doc = geoDocumentNamed(part, words, budget, within)
      return doc === undefined ? [] : [{ segment: part.segment, doc }]
    })
    .sort((a, b) => (isRankedBefore(a.segment, a.doc, b.segment, b.doc) ? -1 : 1))
  if (found) {
    const destination = destinationOf(found.segment, found.doc)
    return { ...destination, ...inside, names: [words, ...destination.names] }
  }
  const isKnown = parts.some(part => hasAreaNamed(part, words, budget, within))
  return isKnown ? { names: [words], ...inside, radiusKm: 0, popularity: 0 } : undefined
}

/** Returns true if a live document is in an area of that name. */
function hasAreaNamed(
  { segment, dead }: IndexPart,
  words: readonly string[],
  budget: Budget,
  within: string | undefined,
): boolean {
  const { areaDocStart, areaDocs } = segment.arrays
  const isInside = within === undefined ? () => true : areaTest(segment, within, budget)
  return [...areasNamed(segment, words, budget)].some(area =>
    areaDocs.subarray(areaDocStart[area]!, areaDocStart[area + 1]!).some(doc => {
      budget.spend(0.5)
      return dead?.[doc] !== 1 && isInside(doc)
    }),
  )
}

/** Finds the destination of a geo_name; in "Athens, Georgia" the parts after the first comma narrow it. */
function destinationOfName(view: IndexView, geoName: string, budget: Budget): Destination | undefined {
  const [first, ...others] = geoName.split(',').filter(part => tokens(part).length > 0)
  if (first === undefined) return undefined
  return destinationNamed(view, tokens(first), budget, others.join(',') || undefined)
}

/** Finds the destination with an id: a location's, or one that sources give an area. */
function destinationOfId({ parts }: IndexView, id: Id, budget: Budget): Destination | undefined {
  const term = [reservedTerm.geoId(String(id))]
  for (const { segment, dead } of parts) {
    const doc = segment.find(id)
    if (doc >= 0 && dead?.[doc] !== 1) {
      const destination = destinationOf(segment, doc)
      return { ...destination, names: [...(segment.arrays.category[doc] === geo ? destination.names : []), term] }
    }
  }
  const isKnown = parts.some(({ segment }) => areasNamed(segment, term, budget).size > 0)
  return isKnown ? { names: [term], radiusKm: 0, popularity: 0 } : undefined
}

/** Finds the destination of a query, or undefined if it is unknown. */
export function findDestination(view: IndexView, query: DestinationQuery, budget: Budget): Destination | undefined {
  if ('geoId' in query) return destinationOfId(view, query.geoId, budget)
  if ('geoName' in query) return destinationOfName(view, query.geoName, budget)
  return { names: [], centre: query.centre, radiusKm: query.radiusKm, popularity: 0 }
}

/** Returns the distinct documents of one part in a destination, including dead ones. */
export function documentsIn({ segment }: IndexPart, destination: Destination, budget: Budget): Uint32Array {
  const { names, country, within, centre, radiusKm } = destination
  const { arrays, facts, points } = segment
  const number = country === undefined ? 0 : facts.countries.indexOf(country) + 1
  if (number > 0 && names.length === 0) {
    return arrays.countryDocs.subarray(arrays.countryStart[number]!, arrays.countryStart[number + 1]!)
  }
  const { areaDocStart, areaDocs } = arrays
  const areas = new Set(names.flatMap(name => [...areasNamed(segment, name, budget)]))
  const docs = new Growable(Uint32Array, 64)
  const isWithin = within === undefined ? undefined : areaTest(segment, within, budget)
  const isInside = (doc: number) =>
    (number === 0 || arrays.country[doc] === 0 || arrays.country[doc] === number) &&
    (isWithin === undefined || isWithin(doc))
  for (const area of areas) {
    budget.spend((areaDocStart[area + 1]! - areaDocStart[area]!) / 4)
    for (let at = areaDocStart[area]!; at < areaDocStart[area + 1]!; at++) {
      if (isInside(areaDocs[at]!)) docs.push(areaDocs[at]!)
    }
  }
  if (centre === undefined) return docs.view()
  const { area, latitude, longitude } = arrays
  const distanceTo = distancesFrom(centre)
  points.visit(new BoxRegion(boxAround(centre, radiusKm)), budget, (from, to) => {
    for (let at = from; at < to; at++) {
      budget.spend(1)
      const doc = points.docs[at]!
      if (areas.has(area[doc]!) && isInside(doc)) continue
      if (distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree) <= radiusKm) docs.push(doc)
    }
  })
  return docs.view()
}

/** Finds the most popular live GEO document with exactly this name, within an additional area if given. */
function geoDocumentNamed(
  { segment, dead }: IndexPart,
  words: readonly string[],
  budget: Budget,
  within: string | undefined,
): number | undefined {
  const { terms, arrays } = segment
  const { nameStart: start, nameDocs } = arrays
  const numbers = words.map(word => terms.find(word))
  if (numbers.length === 0 || numbers.includes(-1)) return undefined
  const isInside = within === undefined ? undefined : areaTest(segment, within, budget)
  const size = (term: number) => start[term + 1]! - start[term]!
  const rarest = numbers.reduce((a, b) => (size(b) < size(a) ? b : a))
  const end = Math.min(start[rarest + 1]!, start[rarest]! + maxNamesakes)
  for (let at = start[rarest]!; at < end; at++) {
    const doc = nameDocs[at]!
    budget.spend(1)
    if (arrays.category[doc] !== geo || dead?.[doc] === 1 || (isInside !== undefined && !isInside(doc))) continue
    if (hasName(segment, doc, numbers)) return doc
  }
  return undefined
}

/** Returns the destination of a document: its primary name and a circle around it. */
function destinationOf({ arrays, terms, facts }: Segment, doc: number): Destination {
  const { textStart, texts, latitude, longitude, country, popularity } = arrays
  const from = textStart[doc]!
  // The first text is the primary name if the document has any name.
  const name = from < textStart[doc + 1]! ? texts.subarray(from + 1, from + 1 + lengthOfText(texts[from]!)) : []
  const code = facts.countries[country[doc]! - 1]
  return {
    names: [Array.from(name, term => terms.text(term))],
    ...(code !== undefined && { country: code }),
    centre: { latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree },
    radiusKm: destinationRadiusKm,
    popularity: popularity[doc]!,
  }
}
