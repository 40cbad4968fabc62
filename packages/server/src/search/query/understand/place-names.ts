import { topLevelCategories } from '../../../domain/category.ts'
import type { Id } from '../../../domain/id.ts'
import type { DestinationQuery } from '../../../domain/recommendation.ts'
import type { Point } from '../../../domain/search.ts'
import { beginsCountryName, countryNamed } from '../../../gazetteer/countries.ts'
import { beginsNickname, nicknamed } from '../../../gazetteer/nicknames.ts'
import { beginsRegionName, regionsNamed } from '../../../gazetteer/regions.ts'
import { mapList } from '../../../kit/map-list.ts'
import { tokens } from '../../../kit/tokens.ts'
import { Budget } from '../../index/budget.ts'
import { type IndexPart, type IndexView, isRankedBefore } from '../../index/index-view.ts'
import { largerAreas, lossOfLarger } from '../../index/popularity.ts'
import { unitsPerDegree } from '../../index/regions.ts'
import { type Segment, statusCode } from '../../index/segment.ts'
import { distancesFrom } from '../../index/sphere.ts'
import { hasName, lengthOfText, termBagHash } from '../../index/texts.ts'
import { lowerBoundOfHash } from '../../index/typed-arrays.ts'
import { reservedTerm } from '../../text/reserved-terms.ts'
import { areasNamed, areaTest } from '../area-filter.ts'
import { type LabelSets, labelSetsOf } from '../label-sets.ts'
import { cityReachKm, createPlace, type ReadPlace, radiusOf } from './read-place.ts'

/** Conditions of the look-up of a place by name. */
export interface PlaceConditions {
  /** Name of an additional area that the place has to be in: "georgia" for "athens". */
  readonly within?: string | undefined
  /** Location bias: a place close to it is meant rather than a more populous namesake. */
  readonly near?: Point | undefined
}

/** Finds the place with a name, given as tokens; undefined if the name is unknown. */
export type PlaceLookup = (words: readonly string[], within?: string) => ReadPlace | undefined

/** Maximum number of GEO documents of a name that are compared, in each part, and of those that are returned. */
const maxNamesakes = 64
const maxReturned = 5
/** Distance from the location bias within which a place precedes more populous ones. */
const closeKm = 100

const geo = topLevelCategories.indexOf('GEO')

/** Ids of categories of GEO documents that are areas larger than a city. */
const largeAreas = ['country', ...largerAreas, 'island', 'continent']
/** Those of them that have an ISO 3166-2 code. */
const states = ['region', 'state', 'province']

/**
 * Finds the place with a name: a country, else the GEO documents of that name, best first (the others are its
 * namesakes), else areas of that name without a document of their own, else the place that it is a nickname for. A
 * state or province precedes towns elsewhere, which are its namesakes, and is a namesake of a city. Returns undefined
 * if the name is unknown.
 */
export function placeNamed(
  view: IndexView,
  words: readonly string[],
  budget: Budget,
  { within, near }: PlaceConditions = {},
): ReadPlace | undefined {
  const { parts } = view
  budget.spend(10)
  const first = within === undefined ? (words[0] ?? '') : undefined
  const country = first !== undefined && beginsCountryName(first) ? countryNamed(words.join(' ')) : undefined
  const asCountry = country === undefined ? undefined : createPlace({ country, popularity: 1 })
  if (country !== undefined && parts.some(({ segment }) => segment.facts.countries.includes(country))) return asCountry
  const geos = geosNamed(view, words, budget, { within, near })
  const regions = first !== undefined && beginsRegionName(first) ? regionsNamed(words.join(' ')) : []
  const isKnownRegion = regions.length > 0 && parts.some(({ segment }) => segment.hasRegion(regions))
  const region: ReadPlace[] = isKnownRegion ? [createPlace({ regions, popularity: 1 })] : []
  const [best, ...namesakes] = mapList(geos, ({ segment, doc }) => {
    const place = placeOf(segment, doc)
    return { ...place, within, names: [words, ...place.names] }
  })
  // A small city is meant where the region has nothing: Albany is a name of Albay, too.
  if (region[0] && (geos[0] === undefined || !isTown(geos[0], regions)))
    return best === undefined ? region[0] : { ...region[0], namesakes: [best, ...namesakes] }
  if (best !== undefined) {
    const others = [...namesakes, ...region]
    return others.length > 0 ? { ...best, namesakes: others } : best
  }
  const isKnown = parts.some(part => hasAreaNamed(part, words, budget, within))
  if (isKnown) return createPlace({ names: [words], within })
  const place = first !== undefined && beginsNickname(first) ? nicknamed(words.join(' ')) : undefined
  // A country without places: what is asked for there is not elsewhere.
  if (place === undefined) return asCountry
  return placeNamed(view, place.name.split(' '), budget, { within: place.region?.slice(3) ?? place.country, near })
}

/** Prominence of a city of 200,000 people, and of a town of 2,000. */
const minTown = { elsewhere: 0.6, inside: 0.24 } as const

/** Returns true if a name means a GEO document rather than regions of that name: a town in them, or a city. */
function isTown({ segment, doc }: Found, regions: readonly string[]): boolean {
  const { prominence, region } = segment.arrays
  const isInside = regions.includes(segment.facts.regions[region[doc]! - 1] ?? '')
  return prominence[doc]! >= (isInside ? minTown.inside : minTown.elsewhere)
}

/** GEO document of one part. */
interface Found {
  readonly segment: Segment
  readonly doc: number
}

/**
 * Returns up to five live GEO documents with exactly this name: those close to the bias first, cities before counties,
 * then by rank.
 */
export function geosNamed(
  { parts }: IndexView,
  words: readonly string[],
  budget: Budget,
  { within, near }: PlaceConditions = {},
): Found[] {
  const found: Found[] = []
  for (const part of parts)
    for (const doc of geoDocumentsNamed(part, words, budget, within)) found.push({ segment: part.segment, doc })
  if (found.length < 2) return found
  const distanceTo = near && distancesFrom(near)
  const isFar = ({ segment: { arrays }, doc }: Found) =>
    distanceTo !== undefined &&
    distanceTo(arrays.latitude[doc]! / unitsPerDegree, arrays.longitude[doc]! / unitsPerDegree) > closeKm
  return found
    .sort((a, b) => {
      const far = Number(isFar(a)) - Number(isFar(b)) || Number(isFollower(a)) - Number(isFollower(b))
      return far || (isRankedBefore(a.segment, a.doc, b.segment, b.doc) ? -1 : 1)
    })
    .slice(0, maxReturned)
}

/** Returns true for the county of a city of its name, or another place that follows it. */
const isFollower = ({ segment, doc }: Found): boolean => segment.arrays.leader[doc] !== 0

const noDocuments: readonly number[] = []

/** Returns live GEO documents of a part with exactly this name, within an additional area if given, by rank. */
function geoDocumentsNamed(
  { segment, dead }: IndexPart,
  words: readonly string[],
  budget: Budget,
  within: string | undefined,
): readonly number[] {
  const { terms, arrays } = segment
  const numbers = terms.findAll(words)
  if (numbers === undefined) return noDocuments
  const { geoHash, geoDocs } = arrays
  const hash = termBagHash(numbers)
  let at = lowerBoundOfHash(geoHash, hash)
  if (geoHash[at] !== hash) return noDocuments
  const isInside = within === undefined ? undefined : areaTest(segment, within, budget, true)
  const found: number[] = []
  for (; geoHash[at] === hash && found.length < maxNamesakes; at++) {
    const doc = geoDocs[at]!
    budget.spend(2)
    if (dead?.[doc] === 1 || arrays.status[doc] === statusCode.CLOSED || isInside?.(doc) === false) continue
    if (hasName(arrays, doc, numbers)) found.push(doc)
  }
  return found
}

/** Returns true if a live document is in an area of that name. */
function hasAreaNamed(
  { segment, dead }: IndexPart,
  words: readonly string[],
  budget: Budget,
  within: string | undefined,
): boolean {
  const { areaDocStart, areaDocs } = segment.arrays
  const areas = areasNamed(segment, words, budget)
  if (areas.size === 0) return false
  const isInside = within === undefined ? () => true : areaTest(segment, within, budget, true)
  return [...areas].some(area =>
    areaDocs.subarray(areaDocStart[area]!, areaDocStart[area + 1]!).some(doc => {
      budget.spend(0.5)
      return dead?.[doc] !== 1 && isInside(doc)
    }),
  )
}

/** Finds the place of a geo_name; in "Athens, Georgia" the parts after the first comma narrow it. */
function placeOfName(view: IndexView, geoName: string, budget: Budget): ReadPlace | undefined {
  const [first, ...others] = geoName.split(',').filter(part => tokens(part).length > 0)
  if (first === undefined) return undefined
  return placeNamed(view, tokens(first), budget, { within: others.join(',') || undefined })
}

/** Finds the place with an id: a location's, or one that sources give an area. */
function placeOfId({ parts }: IndexView, id: Id, budget: Budget): ReadPlace | undefined {
  const term = [reservedTerm.geoId(String(id))]
  for (const { segment, dead } of parts) {
    const doc = segment.find(id)
    if (doc >= 0 && dead?.[doc] !== 1) {
      const place = placeOf(segment, doc)
      return { ...place, names: [...(segment.arrays.category[doc] === geo ? place.names : []), term] }
    }
  }
  const isKnown = parts.some(({ segment }) => areasNamed(segment, term, budget).size > 0)
  return isKnown ? createPlace({ names: [term] }) : undefined
}

/** Finds the place of a query, or undefined if it is unknown. */
export function findPlace(view: IndexView, query: DestinationQuery, budget: Budget): ReadPlace | undefined {
  if ('geoId' in query) return placeOfId(view, query.geoId, budget)
  if ('geoName' in query) return placeOfName(view, query.geoName, budget)
  return createPlace({ centre: query.centre, radiusKm: query.radiusKm })
}

/** Returns the place of a document: its primary name and a circle around it. */
export function placeOf(segment: Segment, doc: number): ReadPlace {
  const { arrays, terms, facts } = segment
  const { textStart, texts, latitude, longitude, country, prominence } = arrays
  const from = textStart[doc]!
  // The first text is the primary name if the document has any name.
  const name = from < textStart[doc + 1]! ? texts.subarray(from + 1, from + 1 + lengthOfText(texts[from]!)) : []
  const code = facts.countries[country[doc]! - 1]
  const popularity = prominence[doc]! + (areaSetsOf(segment).larger.has(arrays.labels[doc]!) ? lossOfLarger : 0)
  return createPlace({
    names: [Array.from(name, term => terms.text(term))],
    country: code,
    regions: regionsOfPlace(segment, doc),
    centre: { latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree },
    radiusKm: radiusOf(popularity),
    reachKm: areaSetsOf(segment).large.has(arrays.labels[doc]!) ? undefined : cityReachKm,
    popularity,
    id: arrays.id[doc]!,
  })
}

/** Returns the region of a state or province, whose document has names in more languages than the gazetteer. */
function regionsOfPlace(segment: Segment, doc: number): ReadPlace['regions'] {
  const { arrays, facts } = segment
  const code = facts.regions[arrays.region[doc]! - 1]
  return code !== undefined && areaSetsOf(segment).states.has(arrays.labels[doc]!) ? [code] : undefined
}

/** Label sets of areas larger than a city, of those smaller than a country, and of states, by segment. */
const areaSets = new WeakMap<Segment, Readonly<Record<'large' | 'larger' | 'states', LabelSets>>>()

function areaSetsOf(segment: Segment): Readonly<Record<'large' | 'larger' | 'states', LabelSets>> {
  const known = areaSets.get(segment)
  if (known !== undefined) return known
  const setsOf = (ids: readonly string[]) =>
    labelSetsOf(
      segment,
      ids.map(id => `geo:${id}`),
      Budget.unlimited(),
    )
  const found = { large: setsOf(largeAreas), larger: setsOf(largerAreas), states: setsOf(states) }
  areaSets.set(segment, found)
  return found
}
