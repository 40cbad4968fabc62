import { maxRanked, type SearchType } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import { nameSummary } from '../index/impacts.ts'
import type { IndexPart } from '../index/index-view.ts'
import type { Segment } from '../index/segment.ts'
import { termBagHash } from '../index/texts.ts'
import { lowerBound } from '../index/typed-arrays.ts'
import { Bitmap } from './bitmap.ts'
import { isMatch, type Matcher, namesPlace } from './matcher.ts'
import { firstByRank } from './rank-order.ts'
import type { PlaceDocuments } from './understand/place-documents.ts'

/** Maximum number of postings that are sorted; larger sets use a bitmap of the whole segment. */
const maxSorted = 1024
/** Minimum number of postings of the rarest word for which the documents of a place may be listed instead. */
const minToListPlace = 256
/** Number of documents below which narrowing costs more than comparing them. */
const minToNarrow = 64
/** Documents of a segment whose bits are cleared or counted in one step. */
const documentsPerStep = 4096
/** Postings that are added to a set, or looked up in it, in one step. */
const postingsPerStep = 24
/** An additional list is intersected if it is at most this many times longer than the candidates. */
const maxLengthRatio = 40

/** Memory for the candidates of a query, which runs to completion without interleaving. */
let scratch: Uint32Array = new Uint32Array(maxSorted)

/** Returns the memory for a number of candidates. */
function scratchFor(length: number): Uint32Array {
  if (length > scratch.length) scratch = new Uint32Array(length)
  return scratch
}

/** Visits ranges of posting lists; `to` is exclusive. */
type VisitRange = (docs: Uint32Array, from: number, to: number) => void

/** Posting lists to use: all, or only those of names, addresses and labels, or only those of names. */
type Lists = 'all' | 'withoutAreas' | 'names'

/** Returns the terms of the same meaning outside the range of an incomplete word; terms in it are listed, or taken. */
const sameOutsideRange = ({ same, from, to }: Matcher): readonly number[] =>
  same.length === 0 || to === from ? same : same.filter(term => term < from || term >= to)

/** Visits the posting lists of all documents that a word can match; a document may occur several times. */
function eachRange({ arrays }: Segment, matcher: Matcher, type: SearchType, lists: Lists, visit: VisitRange): void {
  const visitTerms = (start: Uint32Array, docs: Uint32Array) => {
    const range = (first: number, last: number) => {
      if (start[last]! > start[first]!) visit(docs, start[first]!, start[last]!)
    }
    if (matcher.to > matcher.from) {
      let first = matcher.from
      for (const term of matcher.taken) {
        range(first, term)
        first = term + 1
      }
      range(first, matcher.to)
    } else if (matcher.exact >= 0) range(matcher.exact, matcher.exact + 1)
    for (const term of sameOutsideRange(matcher)) range(term, term + 1)
    for (const term of matcher.similar?.keys() ?? []) range(term, term + 1)
  }
  if (type !== 'ADDRESS') visitTerms(arrays.nameStart, arrays.nameDocs)
  if (lists === 'names') return
  // A text that contains a taken term twice has one for this word.
  if (matcher.taken.length > 0) visit(arrays.repeatingDocs, 0, arrays.repeatingDocs.length)
  if (type !== 'NAME') visitTerms(arrays.addressStart, arrays.addressDocs)
  if (type !== 'ADDRESS') matcher.labels.eachRange(visit)
  if (lists === 'withoutAreas') return
  const { country, regions } = matcher
  if (country > 0) visit(arrays.countryDocs, arrays.countryStart[country]!, arrays.countryStart[country + 1]!)
  eachRegion(regions, region => visit(arrays.regionDocs, arrays.regionStart[region]!, arrays.regionStart[region + 1]!))
  matcher.areas.eachRange(visit)
}

/** Visits the numbers of regions. */
function eachRegion(regions: Uint8Array | undefined, visit: (region: number) => void): void {
  for (let region = regions?.indexOf(1) ?? -1; region >= 0; region = regions!.indexOf(1, region + 1)) visit(region)
}

/** Returns the total length of the ranges that `eachRange` visits. */
function totalLength({ arrays }: Segment, matcher: Matcher, type: SearchType, lists: Lists): number {
  const { exact, from, to, taken, similar, areas, labels, country, regions } = matcher
  const lengthOfTerms = (start: Uint32Array) => {
    let length = to > from ? start[to]! - start[from]! : exact >= 0 ? start[exact + 1]! - start[exact]! : 0
    for (const term of taken) length -= start[term + 1]! - start[term]!
    for (const term of sameOutsideRange(matcher)) length += start[term + 1]! - start[term]!
    for (const term of similar?.keys() ?? []) length += start[term + 1]! - start[term]!
    return length
  }
  if (lists === 'names') return lengthOfTerms(arrays.nameStart)
  let length = taken.length > 0 ? arrays.repeatingDocs.length : 0
  if (type !== 'ADDRESS') length += labels.size
  if (lists === 'all') length += areas.size
  if (lists === 'all' && country > 0) length += arrays.countryStart[country + 1]! - arrays.countryStart[country]!
  if (lists === 'all') {
    eachRegion(regions, region => {
      length += arrays.regionStart[region + 1]! - arrays.regionStart[region]!
    })
  }
  if (type !== 'ADDRESS') length += lengthOfTerms(arrays.nameStart)
  if (type !== 'NAME') length += lengthOfTerms(arrays.addressStart)
  return length
}

/** Spends the steps of listing the documents of the only word of a query by name. */
export const spendOnWord = (segment: Segment, matcher: Matcher, budget: Budget): void =>
  budget.spend(postingsOfWord(segment, matcher) / postingsPerStep + segment.count / documentsPerStep)

/** Returns the number of postings of the only word of a query by name, at least the number of its documents. */
export const postingsOfWord = (segment: Segment, matcher: Matcher): number =>
  totalLength(segment, matcher, 'NAME', 'all')

/**
 * Returns a superset of the documents that match every word, ascending and distinct: the documents of the rarest word,
 * intersected with the lists of additional words as long as that costs less than comparing the documents. With
 * `within`, only documents of a place are returned. They are valid until the next call.
 */
export function candidates(
  segment: Segment,
  matchers: readonly Matcher[],
  type: SearchType,
  budget: Budget,
  within?: PlaceDocuments,
): Uint32Array {
  // An optional word does not narrow the candidates.
  const required = matchers.filter(({ word }) => !word.optional)
  const byLength = (required.length > 0 ? required : matchers)
    .map(matcher => ({ matcher, length: totalLength(segment, matcher, type, 'all') }))
    .sort((a, b) => a.length - b.length)
  const [rarest] = byLength
  if (rarest === undefined || rarest.length === 0) return new Uint32Array(0)
  const isPlaceRarest = within !== undefined && rarest.length > minToListPlace && within.size < rarest.length
  const used = new Set<string>()
  let docs = isPlaceRarest ? within.docs : documentsOfRarest(segment, rarest.matcher, type, rarest.length, budget)
  if (!isPlaceRarest) used.add(rarest.matcher.word.text)
  for (const { matcher, length } of byLength) {
    if (used.has(matcher.word.text)) continue
    if (docs.length < minToNarrow || length > docs.length * maxLengthRatio) break
    used.add(matcher.word.text)
    budget.spend((length + docs.length) / postingsPerStep + segment.count / documentsPerStep)
    // The documents of the place are read again by other readings.
    const into = isPlaceRarest && docs === within.docs ? scratchFor(docs.length) : docs
    docs = documentsOf(segment, [matcher], type, 'all').intersect(docs, into)
  }
  if (isPlaceRarest && docs === within.docs) docs = docs.slice()
  else if (within !== undefined && !isPlaceRarest) docs = within.intersect(docs)
  return withoutAreaOnly(segment, matchers, type, docs, budget)
}

/** Returns the documents of the rarest word, ascending and distinct; `length` is the number of its postings. */
function documentsOfRarest(
  segment: Segment,
  matcher: Matcher,
  type: SearchType,
  length: number,
  budget: Budget,
): Uint32Array {
  budget.spend(length / postingsPerStep + segment.count / documentsPerStep)
  return length <= maxSorted
    ? sortedDocuments(segment, matcher, type, length)
    : documentsOf(segment, [matcher], type, 'all').membersFrom(0, scratchFor(length))
}

/** Removes documents that match by area or country alone: at least one word has to match a name, address or label. */
function withoutAreaOnly(
  segment: Segment,
  matchers: readonly Matcher[],
  type: SearchType,
  docs: Uint32Array,
  budget: Budget,
): Uint32Array {
  if (docs.length < minToNarrow || !matchers.some(namesPlace)) return docs
  const length = matchers.reduce((sum, matcher) => sum + totalLength(segment, matcher, type, 'withoutAreas'), 0)
  if (length > docs.length * maxLengthRatio) return docs
  budget.spend((length + docs.length) / postingsPerStep + segment.count / documentsPerStep)
  return documentsOf(segment, matchers, type, 'withoutAreas').intersect(docs, docs)
}

/** Returns the documents of a word, ascending and distinct, by sorting its postings; `length` is their number. */
function sortedDocuments(segment: Segment, matcher: Matcher, type: SearchType, length: number): Uint32Array {
  const found = scratchFor(length)
  let count = 0
  eachRange(segment, matcher, type, 'all', (docs, from, to) => {
    for (let at = from; at < to; at++) found[count++] = docs[at]!
  })
  found.subarray(0, count).sort()
  let distinct = 0
  for (let i = 0; i < count; i++) if (i === 0 || found[i] !== found[i - 1]) found[distinct++] = found[i]!
  return found.subarray(0, distinct)
}

/** Returns the documents of any of the words; the set is valid until the next call for the same segment. */
function documentsOf(segment: Segment, matchers: readonly Matcher[], type: SearchType, lists: Lists): Bitmap {
  const bits = Bitmap.of(segment, 'listed')
  for (const matcher of matchers) {
    eachRange(segment, matcher, type, lists, (docs, from, to) => bits.addRange(docs, from, to))
  }
  return bits
}

/**
 * Adds the documents of each part with a name of exactly these words to a set, if all words are common; of too many the
 * first by rank. Returns false if there are too many.
 */
export function addNamed(
  parts: readonly IndexPart[],
  matchers: readonly (readonly Matcher[])[],
  to: readonly Bitmap[],
): boolean {
  let total = 0
  const named = parts.map(({ segment }, i) => {
    const { commonHash, commonDocs } = segment.arrays
    const hash = termBagHash(matchers[i]!.map(({ exact }) => exact))
    const from = lowerBound(commonHash, hash)
    let end = from
    while (end < commonHash.length && commonHash[end] === hash && end - from < maxRanked) end++
    total += end - from
    return commonDocs.subarray(from, end)
  })
  const ends = firstByRank(parts, named, maxRanked)
  for (let i = 0; i < parts.length; i++) to[i]!.addRange(named[i]!, 0, ends[i]!)
  return total < maxRanked
}

/** Minimum number of candidates for which `certainMatches` saves time. */
const minToCertify = 128

/**
 * Returns candidates of a query by name that certainly match, because each word occurs in the only name of the
 * document: complete words are distinct terms, and the last word has a term that none of them takes. Returns undefined
 * if the query is another one, or if that takes longer than comparing the documents.
 */
export function certainMatches(
  segment: Segment,
  matchers: readonly Matcher[],
  docs: Uint32Array,
  budget: Budget,
): Bitmap | undefined {
  if (docs.length < minToCertify || matchers.length < 2) return undefined
  const exact = matchers.filter(({ from, to }) => to === from).map(matcher => matcher.exact)
  if (matchers.some(({ word, similar }) => word.where || (similar?.size ?? 0) > 0)) return undefined
  if (new Set(exact).size < exact.length || exact.includes(-1)) return undefined
  // Two words may need the same term of a name, once as typed and once by its meaning.
  const sharesTerm = (matcher: Matcher) =>
    matcher.same.some(term => matchers.some(other => other !== matcher && isMatch(other, term)))
  if (matchers.some(sharesTerm)) return undefined
  const length = matchers.reduce((sum, matcher) => sum + totalLength(segment, matcher, 'NAME', 'names'), 0)
  if (length > docs.length * maxLengthRatio) return undefined
  budget.spend((length + docs.length) / postingsPerStep + segment.count / documentsPerStep)
  let found = docs
  for (const matcher of matchers) found = documentsOf(segment, [matcher], 'NAME', 'names').intersect(found)
  const { nameSummaries } = segment.arrays
  const certain = Bitmap.of(segment, 'certain')
  for (const doc of found) if ((nameSummaries[doc]! & nameSummary.isOnly) !== 0) certain.add(doc)
  return certain
}
