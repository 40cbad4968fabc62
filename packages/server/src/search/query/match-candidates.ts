import { topLevelCategories } from '../../domain/category.ts'
import type { CandidateQuery, CandidateResult } from '../../domain/match.ts'
import { fullScope } from '../../domain/scope.ts'
import type { Point } from '../../domain/search.ts'
import { tokens } from '../../kit/tokens.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart, IndexView } from '../index/index-view.ts'
import { CircleRegion, type Region } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import { eachText, textKind } from '../index/texts.ts'
import { findByKeys } from './external-keys.ts'
import { allOf, compileFilters, type Test } from './filters.ts'
import { searchPlaces } from './search-places.ts'

/** Radius in kilometres within which places with a word of the name are candidates; larger for areas and stations. */
const radiusKm = { near: 0.15, word: 1.5, rareWord: 4, large: 40 }

/** A word is rare if at most this many places have it in a name. */
const maxRareDocuments = 2000

/** Maximum numbers of candidates by how they were found. */
const most = { keys: 10, near: 15, words: 25, searched: 10 }

/** Maximum number of locations of a key that identifies one. */
const maxHolders = 3

/** Document of a part with the weight of the words that it shares with the name. */
interface Found {
  readonly part: IndexPart
  readonly doc: number
  readonly shared: number
  readonly meters: number
}

/** Finds the locations that a record may describe, within a budget. */
export function matchCandidates(view: IndexView, query: CandidateQuery, budget: Budget): CandidateResult {
  const { name, point, keys, place, countryCode, scope } = query
  const words = [...new Set(tokens(name))]
  const weights = new Map<string, number>()
  const weigh = (word: string) => {
    const known = weights.get(word) ?? weightOf(view, word)
    weights.set(word, known)
    return known
  }
  for (const word of words) weigh(word)
  const holders = findByKeys(view, { keys, scope: scope ?? fullScope }, budget)
  const ids = new Set(holders.flatMap(found => found.slice(0, most.keys)))
  const text = place === undefined ? name : `${name} ${place}`
  const filters = { ...(countryCode !== undefined && { countryCode }), ...(scope && { scope }) }
  for (const { part, doc } of point ? findAround(view, { words, point, filters, weigh }, budget) : [])
    ids.add(part.segment.arrays.id[doc]!)
  for (const one of text === name ? [name] : [name, text]) {
    const near = point && { near: point }
    for (const { id } of searchPlaces(view, { text: one, ...filters, ...near, offset: 0, limit: most.searched }, budget)
      .hits)
      ids.add(id)
  }
  for (const id of ids) for (const word of wordsOfNames(view, id)) weigh(word)
  budget.spend(ids.size * 4)
  return { ids: [...ids], weights, sharedKeys: keys.filter((_, i) => new Set(holders[i]).size > maxHolders) }
}

/** Returns the weight of a word, 0 to 1; a word of no name is as rare as one of a single name. */
function weightOf({ lexicon }: IndexView, word: string): number {
  const term = lexicon.terms.find(word)
  return term < 0 ? 1 : lexicon.arrays.weight[term]! / 255
}

interface Around {
  readonly words: readonly string[]
  readonly point: Point
  readonly filters: Pick<CandidateQuery, 'scope' | 'countryCode'>
  readonly weigh: (word: string) => number
}

/** Returns the places around a point that share words with a name, and the nearest ones whatever their name. */
function findAround(view: IndexView, around: Around, budget: Budget): readonly Found[] {
  const found = view.parts.flatMap(part => findInPart(part, around, budget))
  const near = found.filter(({ meters }) => meters <= radiusKm.near * 1000).sort((a, b) => a.meters - b.meters)
  const alike = found.filter(({ shared }) => shared > 0).sort((a, b) => b.shared - a.shared || a.meters - b.meters)
  return [...near.slice(0, most.near), ...alike.slice(0, most.words)]
}

const geo = topLevelCategories.indexOf('GEO')
const transport = topLevelCategories.indexOf('TRANSPORT')

function findInPart(part: IndexPart, { words, point, filters, weigh }: Around, budget: Budget): Found[] {
  const { segment, dead } = part
  const { arrays, terms, points } = segment
  const wanted = new Map(words.map(word => [terms.find(word), weigh(word)] as const).filter(([term]) => term >= 0))
  const passes = allOf([dead && (doc => dead[doc] !== 1), compileFilters(segment, filters, budget)])
  const circle = (km: number) => new CircleRegion(point, km)
  const docs = new Set<number>()
  points.visit(circle(radiusKm.word), budget, (from, to) => {
    budget.spend(to - from)
    for (let at = from; at < to; at++) docs.add(points.docs[at]!)
  })
  const [medium, large] = [circle(radiusKm.rareWord), circle(radiusKm.large)]
  for (const term of wanted.keys()) {
    const [from, to] = [arrays.nameStart[term]!, arrays.nameStart[term + 1]!]
    if (to - from > maxRareDocuments) continue
    budget.spend((to - from) / 2)
    for (let at = from; at < to; at++) {
      const doc = arrays.nameDocs[at]!
      const isLarge = arrays.category[doc] === geo || arrays.category[doc] === transport
      if (contains(segment, isLarge ? large : medium, doc)) docs.add(doc)
    }
  }
  return [...docs].flatMap(doc => toFound(part, doc, { wanted, point, passes, budget }))
}

const contains = ({ arrays }: Segment, region: Region, doc: number): boolean =>
  region.contains(arrays.longitude[doc]!, arrays.latitude[doc]!)

interface Wanted {
  readonly wanted: ReadonlyMap<number, number>
  readonly point: Point
  readonly passes: Test | undefined
  readonly budget: Budget
}

function toFound(part: IndexPart, doc: number, { wanted, point, passes, budget }: Wanted): Found[] {
  if (passes && !passes(doc)) return []
  const { arrays } = part.segment
  const seen = new Set<number>()
  eachText(arrays.texts, arrays.textStart[doc]!, arrays.textStart[doc + 1]!, (kind, from, to) => {
    budget.spend((to - from) / 4)
    if (kind !== textKind.name) return
    for (let at = from; at < to; at++) if (wanted.has(arrays.texts[at]!)) seen.add(arrays.texts[at]!)
  })
  let shared = 0
  for (const term of seen) shared += wanted.get(term)!
  return [{ part, doc, shared, meters: flatMeters(part.segment, doc, point) }]
}

const metersPerUnit = 0.0111195

/** Returns the distance of a document from a point, precise enough to compare the distances of near places. */
function flatMeters({ arrays }: Segment, doc: number, { latitude, longitude }: Point): number {
  const north = arrays.latitude[doc]! - latitude * 1e7
  const east = Math.abs(arrays.longitude[doc]! - longitude * 1e7)
  const turn = 360e7
  return Math.hypot(north, Math.min(east, turn - east) * Math.cos((latitude * Math.PI) / 180)) * metersPerUnit
}

/** Returns the words of the names of a location. */
function wordsOfNames({ parts }: IndexView, id: bigint): string[] {
  const found: string[] = []
  for (const { segment, dead } of parts) {
    const doc = segment.find(id)
    if (doc < 0 || dead?.[doc] === 1) continue
    const { texts, textStart } = segment.arrays
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      if (kind === textKind.name) for (let at = from; at < to; at++) found.push(segment.terms.text(texts[at]!))
    })
  }
  return found
}
