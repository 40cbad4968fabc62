import { topLevelCategories } from '../../domain/category.ts'
import type { Id } from '../../domain/id.ts'
import type { PlaceAsked } from '../../domain/recommendation.ts'
import type { Point } from '../../domain/search.ts'
import type { IndexPart, IndexView } from '../index/index-view.ts'
import { unitsPerDegree } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import { boxAround, distancesFrom } from '../index/sphere.ts'
import { Growable } from '../index/typed-arrays.ts'
import { areasNamed, areasToCompare, areaTest, hasName } from '../query/area-filter.ts'
import type { Budget } from '../query/budget.ts'
import { countryNamed } from '../text/country-names.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import { tokens } from '../text/tokens.ts'
import { aroundPlaceKm } from './recommendation-weights.ts'

/** Where to look for recommendations: what an index knows of a place that somebody named. */
export interface Place {
  /** Names (as tokens) or reserved terms under which areas lie in it. */
  readonly names: readonly (readonly string[])[]
  /** ISO 3166-1 alpha-2: the areas' country; the whole country where there are no names. */
  readonly country?: string
  /** What the names have to lie in: "Georgia" of "Athens, Georgia". */
  readonly within?: string
  readonly centre?: Point
  readonly radiusKm: number
  /** 0 to 1. */
  readonly popularity: number
}

/** Documents with a word in their names among which the place called so is looked for, the most popular first. */
const mostNamesakes = 10_000

const geo = topLevelCategories.indexOf('GEO')

/** The place called so, the most popular where there are several; undefined where the index knows none. */
export function placeNamed(
  { parts }: IndexView,
  words: readonly string[],
  budget: Budget,
  within?: string,
): Place | undefined {
  if (budget.exhausted) return undefined
  const country = within === undefined ? countryNamed(words.join(' ')) : undefined
  if (country !== undefined && parts.some(({ segment }) => segment.facts.countries.includes(country))) {
    return { names: [], country, radiusKm: 0, popularity: 1 }
  }
  const inside = within === undefined ? {} : { within }
  const [found] = parts
    .flatMap(part => geoCalled(part, words, budget, within) ?? [])
    .sort((a, b) => b.popularity - a.popularity)
  if (found) return { ...found, ...inside, names: [words, ...found.names] }
  // Nobody knows where it is, but places say that they lie in it.
  const isKnown = parts.some(({ segment, dead }) => {
    budget.spend(areasToCompare(segment, words))
    if (budget.exhausted) return false
    const { areaDocStart, areaDocs } = segment.arrays
    const isInside = within === undefined ? () => true : areaTest(segment, within)
    return [...areasNamed(segment, words)].some(area =>
      areaDocs.subarray(areaDocStart[area]!, areaDocStart[area + 1]!).some(doc => dead?.[doc] !== 1 && isInside(doc)),
    )
  })
  return isKnown ? { names: [words], ...inside, radiusKm: 0, popularity: 0 } : undefined
}

/** The place that a geo_name means; "Athens, Georgia" is the one in the other. */
export function placeOfName(view: IndexView, geoName: string, budget: Budget): Place | undefined {
  const [first, ...others] = geoName.split(',').filter(part => tokens(part).length > 0)
  return first === undefined ? undefined : placeNamed(view, tokens(first), budget, others.join(',') || undefined)
}

/** The place with an id: a location's, or one that sources call what their places lie in. */
export function placeOfId({ parts }: IndexView, id: Id): Place | undefined {
  const term = [reservedTerm.geoId(String(id))]
  for (const { segment, dead } of parts) {
    const doc = segment.find(id)
    if (doc >= 0 && dead?.[doc] !== 1) {
      const place = placeAt(segment, doc)
      return { ...place, names: [...(segment.arrays.category[doc] === geo ? place.names : []), term] }
    }
  }
  const known = parts.some(({ segment }) => areasNamed(segment, term).size > 0)
  return known ? { names: [term], radiusKm: 0, popularity: 0 } : undefined
}

export function placeAsked(view: IndexView, asked: PlaceAsked, budget: Budget): Place | undefined {
  if ('geoId' in asked) return placeOfId(view, asked.geoId)
  if ('geoName' in asked) return placeOfName(view, asked.geoName, budget)
  return { names: [], centre: asked.centre, radiusKm: asked.radiusKm, popularity: 0 }
}

/** Documents of one part that lie in a place, each once, dead ones included; empty where the budget ran out. */
export function documentsIn({ segment }: IndexPart, place: Place, budget: Budget): Uint32Array {
  const { names, country, within, centre, radiusKm } = place
  const { arrays, facts, points } = segment
  const number = country === undefined ? 0 : facts.countries.indexOf(country) + 1
  if (number > 0 && names.length === 0) {
    return arrays.countryDocs.subarray(arrays.countryStart[number]!, arrays.countryStart[number + 1]!)
  }
  const { areaDocStart, areaDocs } = arrays
  const areas = new Set(names.flatMap(name => [...areasNamed(segment, name)]))
  for (const area of areas) budget.spend((areaDocStart[area + 1]! - areaDocStart[area]!) / 4)
  const docs = new Growable(Uint32Array, 64)
  if (budget.exhausted) return docs.view()
  const inside = within === undefined ? undefined : areaTest(segment, within)
  const isHereabouts = (doc: number) =>
    (number === 0 || arrays.country[doc] === 0 || arrays.country[doc] === number) &&
    (inside === undefined || inside(doc))
  for (const area of areas) {
    for (let at = areaDocStart[area]!; at < areaDocStart[area + 1]!; at++) {
      if (isHereabouts(areaDocs[at]!)) docs.push(areaDocs[at]!)
    }
  }
  if (centre === undefined) return docs.view()
  const { area, latitude, longitude } = arrays
  const distanceTo = distancesFrom(centre)
  const close = points.within(boxAround(centre, radiusKm))
  budget.spend(close.length)
  for (let i = 0; i < close.length && !budget.exhausted; i++) {
    const doc = close[i]!
    if (areas.has(area[doc]!) && isHereabouts(doc)) continue
    if (distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree) <= radiusKm) docs.push(doc)
  }
  return docs.view()
}

/** The most popular GEO document with exactly this name. */
function geoCalled(
  { segment, dead }: IndexPart,
  words: readonly string[],
  budget: Budget,
  within?: string,
): Place | undefined {
  const { terms, arrays } = segment
  const { nameStart: start, nameDocs } = arrays
  const numbers = words.map(word => terms.find(word))
  if (numbers.length === 0 || numbers.includes(-1)) return undefined
  const inside = within === undefined ? undefined : areaTest(segment, within)
  const size = (term: number) => start[term + 1]! - start[term]!
  const rarest = numbers.reduce((a, b) => (size(b) < size(a) ? b : a))
  const end = Math.min(start[rarest + 1]!, start[rarest]! + mostNamesakes)
  for (let at = start[rarest]!; at < end; at++) {
    const doc = nameDocs[at]!
    budget.spend(1)
    if (budget.exhausted) return undefined
    if (arrays.category[doc] !== geo || dead?.[doc] === 1 || (inside !== undefined && !inside(doc))) continue
    if (hasName(segment, doc, numbers)) return placeAt(segment, doc)
  }
  return undefined
}

/** A document as somewhere to look. */
function placeAt({ arrays, terms, facts }: Segment, doc: number): Place {
  const { textStart, texts, latitude, longitude, country, popularity } = arrays
  const from = textStart[doc]!
  // The primary name comes first, and codes and addresses behind the names.
  const name = from < textStart[doc + 1]! ? texts.subarray(from + 1, from + 1 + (texts[from]! & 0xff)) : []
  const code = facts.countries[country[doc]! - 1]
  return {
    names: [Array.from(name, term => terms.text(term))],
    ...(code !== undefined && { country: code }),
    centre: { latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree },
    radiusKm: aroundPlaceKm,
    popularity: popularity[doc]!,
  }
}
