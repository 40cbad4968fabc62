import { topLevelCategories } from '../../domain/category.ts'
import { distanceKm } from '../../kit/great-circle.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import { isRankedBefore } from './index-view.ts'
import { unitsPerDegree } from './regions.ts'
import { geoCategory, type PlaceArrays, type SegmentPlaces, statusCode } from './segment.ts'
import { TermDictionary } from './term-dictionary.ts'
import { hasName, kindOfText, lengthOfText, textKind } from './texts.ts'
import { sharedArray } from './typed-arrays.ts'

/**
 * Leaders of places that have the name of a city nearby: its county, a smaller town, a station. A place and its
 * leader are different records, but a query by that name means the leader. Leaders are GEO documents.
 */

const transportCategory = topLevelCategories.indexOf('TRANSPORT')

/**
 * Maximum distance of a place from its leader in kilometres; airports are farther from their city, and the centre of a
 * state or county may be far from the city in it.
 */
const maxKm = { geo: 25, transport: 40, sameRegion: 300 } as const
/** Maximum number of names of a subdivision by which its leader is looked up. */
const maxNames = 64
const kmPerDegree = 111
/** Minimum prominence of a leader of a GEO document: its population is known. */
const minProminence = 0.04
/** Levels of GEO documents by category. Administrative areas below a country lead no city of their name. */
const level = { city: 0, other: 1, subdivision: 2 } as const
const categoriesOfLevel = [
  [level.city, ['geo:city']],
  [level.subdivision, ['geo:county', 'geo:localadmin', 'geo:region', 'geo:macroregion']],
] as const
/** Maximum by which a document is more prominent than a leader of a lower level, by its own level. */
const maxAhead = [0, 0.1, 0.25] as const
/** Maximum length of a chain of leaders. */
const maxChain = 4

/** A leader in 32 bits: the part above `docBits`, and the document + 1; 0 if there is no leader. */
const docBits = 24
const docMask = 2 ** docBits - 1
export const packLeader = (part: number, doc: number): number => part * 2 ** docBits + doc + 1
export const partOfLeader = (leader: number): number => leader >>> docBits
export const docOfLeader = (leader: number): number => (leader & docMask) - 1

/** Documents of a part, with what the search for leaders looks up in them. */
interface NamedPart {
  readonly arrays: PlaceArrays
  /** ISO 3166-2 codes that `arrays.region` numbers from 1. */
  readonly regions: readonly string[]
  readonly terms: TermDictionary
  /** Level of each label set. */
  readonly levels: Uint8Array
  readonly leaders: Uint32Array
}

/** A part; those before the first one to build have their leaders. */
type LeadingPart = Pick<SegmentPlaces, 'facts'> & { readonly arrays: PlaceArrays & { readonly leader?: Uint32Array } }

/** Builds the column of leaders of each part, from the part `from` on, among the documents of all parts. */
export function buildLeaders(parts: readonly LeadingPart[], from = 0): Uint32Array[] {
  const named = parts.map(({ facts, arrays }, i): NamedPart => {
    const terms = new TermDictionary(arrays)
    const leaders = i < from ? arrays.leader! : sharedArray(Uint32Array, arrays.category.length)
    return { arrays, regions: facts.regions, terms, levels: levelsOf(arrays, terms), leaders }
  })
  const built = named.slice(from)
  for (const part of built) {
    const { category } = part.arrays
    for (let doc = 0; doc < category.length; doc++) {
      const canFollow = category[doc] === geoCategory || category[doc] === transportCategory
      if (canFollow) part.leaders[doc] = leaderOf(named, part, doc)
    }
  }
  for (const { leaders } of built) {
    for (let doc = 0; doc < leaders.length; doc++) if (leaders[doc] !== 0) leaders[doc] = lastOf(named, leaders[doc]!)
  }
  return built.map(({ leaders }) => leaders)
}

/** Returns the last of a chain of leaders, which follows no other. */
function lastOf(parts: readonly NamedPart[], first: number): number {
  let leader = first
  for (let i = 0; i < maxChain; i++) {
    const next = parts[partOfLeader(leader)]!.leaders[docOfLeader(leader)]!
    if (next === 0) break
    leader = next
  }
  return leader
}

function levelsOf({ labelKey, labelTermStart, labelTermSets }: PlaceArrays, terms: TermDictionary): Uint8Array {
  const levels = new Uint8Array(labelKey.length).fill(level.other)
  for (const [value, categories] of categoriesOfLevel) {
    for (const category of categories) {
      const term = terms.find(reservedTerm.category(category))
      if (term < 0) continue
      for (let at = labelTermStart[term]!; at < labelTermStart[term + 1]!; at++) levels[labelTermSets[at]!] = value
    }
  }
  return levels
}

/**
 * Returns the leader of a document: the most prominent city with its primary name within the distance; of a subdivision
 * the one with any of its names, for "Kumamoto Prefecture" is also called Kumamoto. Returns 0 without a leader.
 */
function leaderOf(parts: readonly NamedPart[], part: NamedPart, doc: number): number {
  let [leading, leader] = [part, -1]
  const names = new Set(namesOf(part, doc))
  for (const words of [...names].map(name => name.split(' '))) {
    for (const candidates of parts) {
      const numbers = words.map(word => candidates.terms.find(word))
      if (numbers.includes(-1)) continue
      eachNamesake(candidates, numbers, part, doc, found => {
        if (!canLead(candidates, found, part, doc)) return
        if (leader < 0 || isBetter(candidates, found, leading, leader)) [leading, leader] = [candidates, found]
      })
    }
  }
  return leader < 0 ? 0 : packLeader(parts.indexOf(leading), leader)
}

/** Returns the names by which the leader of a document is looked up, as tokens joined by a space. */
function namesOf({ arrays: { texts, textStart, labels, category }, levels, terms }: NamedPart, doc: number): string[] {
  const isSubdivision = category[doc] === geoCategory && levels[labels[doc]!] === level.subdivision
  const most = isSubdivision ? maxNames : 1
  const names: string[] = []
  for (let at = textStart[doc]!; at < textStart[doc + 1]! && names.length < most; at += 1 + lengthOfText(texts[at]!)) {
    if (kindOfText(texts[at]!) !== textKind.name) break
    const name = texts.subarray(at + 1, at + 1 + lengthOfText(texts[at]!))
    names.push(Array.from(name, term => terms.text(term)).join(' '))
  }
  return names
}

/** Visits the GEO documents of a part that have a name of exactly these terms and are close to another document. */
function eachNamesake(
  { arrays, regions }: NamedPart,
  name: readonly number[],
  { arrays: of, regions: regionsOf, levels }: NamedPart,
  doc: number,
  visit: (found: number) => void,
): void {
  const { nameStart, nameDocs, category, status, latitude, longitude } = arrays
  const isGeo = of.category[doc] === geoCategory
  const maxNear = isGeo ? maxKm.geo : maxKm.transport
  const isSubdivision = isGeo && levels[of.labels[doc]!] === level.subdivision
  const region = isSubdivision ? regions.indexOf(regionsOf[of.region[doc]! - 1] ?? '') + 1 : 0
  const reach = ((region > 0 ? maxKm.sameRegion : maxNear) / kmPerDegree) * unitsPerDegree
  const size = (term: number) => nameStart[term + 1]! - nameStart[term]!
  const rarest = name.reduce((a, b) => (size(b) < size(a) ? b : a))
  for (let at = nameStart[rarest]!; at < nameStart[rarest + 1]!; at++) {
    const found = nameDocs[at]!
    if (category[found] !== geoCategory || status[found] === statusCode.CLOSED) continue
    if (Math.abs(latitude[found]! - of.latitude[doc]!) > reach || (arrays === of && found === doc)) continue
    const distance = distanceKm(
      latitude[found]! / unitsPerDegree,
      longitude[found]! / unitsPerDegree,
      of.latitude[doc]! / unitsPerDegree,
      of.longitude[doc]! / unitsPerDegree,
    )
    const km = region > 0 && arrays.region[found] === region ? maxKm.sameRegion : maxNear
    if (distance <= km && hasName(arrays, found, name)) visit(found)
  }
}

/** Returns true if a GEO document leads a document of its name. */
function canLead(a: NamedPart, doc: number, b: NamedPart, follower: number): boolean {
  if (b.arrays.category[follower] !== geoCategory) return true
  const [levelOfLeader, levelOfFollower] = [a.levels[a.arrays.labels[doc]!]!, b.levels[b.arrays.labels[follower]!]!]
  const ahead = b.arrays.prominence[follower]! - a.arrays.prominence[doc]!
  if (a.arrays.prominence[doc]! <= minProminence) return false
  if (levelOfLeader === levelOfFollower) return isRankedBefore(a, doc, b, follower)
  if (levelOfLeader < levelOfFollower) return ahead < maxAhead[levelOfFollower as 1 | 2]
  return levelOfLeader !== level.subdivision && -ahead >= maxAhead[levelOfLeader as 1]
}

/** Compares GEO documents as leaders: cities before subdivisions, then by rank. */
function isBetter(a: NamedPart, doc: number, b: NamedPart, other: number): boolean {
  const isSubdivision = a.levels[a.arrays.labels[doc]!] === level.subdivision
  const isOther = b.levels[b.arrays.labels[other]!] === level.subdivision
  return isSubdivision === isOther ? isRankedBefore(a, doc, b, other) : isOther
}
