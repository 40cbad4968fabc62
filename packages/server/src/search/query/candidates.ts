import { maxRanked, type SearchType } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { termBagHash } from '../index/texts.ts'
import { lowerBound } from '../index/typed-arrays.ts'
import { Bitmap } from './bitmap.ts'
import type { Matcher } from './matcher.ts'

/** Maximum number of postings that are sorted; larger sets use a bitmap of the whole segment. */
const maxSorted = 1024
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

/** Posting lists to use: all, or only those of names, addresses and labels. */
type Lists = 'all' | 'withoutAreas'

/** Visits the posting lists of all documents that a word can match; a document may occur several times. */
function eachRange({ arrays }: Segment, matcher: Matcher, type: SearchType, lists: Lists, visit: VisitRange): void {
  const visitTerms = (start: Uint32Array, docs: Uint32Array) => {
    const range = (first: number, last: number) => {
      if (start[last]! > start[first]!) visit(docs, start[first]!, start[last]!)
    }
    if (matcher.to > matcher.from) range(matcher.from, matcher.to)
    else if (matcher.exact >= 0) range(matcher.exact, matcher.exact + 1)
    for (const term of matcher.similar?.keys() ?? []) range(term, term + 1)
  }
  if (type !== 'ADDRESS') visitTerms(arrays.nameStart, arrays.nameDocs)
  if (type !== 'NAME') visitTerms(arrays.addressStart, arrays.addressDocs)
  if (type !== 'ADDRESS') matcher.labels.eachRange(visit)
  if (lists === 'withoutAreas') return
  const { country } = matcher
  if (country > 0) visit(arrays.countryDocs, arrays.countryStart[country]!, arrays.countryStart[country + 1]!)
  matcher.areas.eachRange(visit)
}

/** Returns the total length of the ranges that `eachRange` visits. */
function totalLength({ arrays }: Segment, matcher: Matcher, type: SearchType, lists: Lists): number {
  const { exact, from, to, similar, areas, labels, country } = matcher
  const lengthOfTerms = (start: Uint32Array) => {
    let length = to > from ? start[to]! - start[from]! : exact >= 0 ? start[exact + 1]! - start[exact]! : 0
    for (const term of similar?.keys() ?? []) length += start[term + 1]! - start[term]!
    return length
  }
  let length = type === 'ADDRESS' ? 0 : labels.size
  if (lists === 'all') length += areas.size
  if (lists === 'all' && country > 0) length += arrays.countryStart[country + 1]! - arrays.countryStart[country]!
  if (type !== 'ADDRESS') length += lengthOfTerms(arrays.nameStart)
  if (type !== 'NAME') length += lengthOfTerms(arrays.addressStart)
  return length
}

/** Returns the documents of the only word of a query by name; valid until the next call for the same segment. */
export function documentsOfWord(segment: Segment, matcher: Matcher, budget: Budget): Bitmap {
  budget.spend(totalLength(segment, matcher, 'NAME', 'all') / postingsPerStep + segment.count / documentsPerStep)
  return documentsOf(segment, [matcher], 'NAME', 'all')
}

/** Returns the number of postings of the only word of a query by name, at least the number of its documents. */
export const postingsOfWord = (segment: Segment, matcher: Matcher): number =>
  totalLength(segment, matcher, 'NAME', 'all')

/**
 * Returns a superset of the documents that match every word, ascending and distinct: the documents of the rarest word,
 * intersected with the lists of additional words as long as that costs less than comparing the documents. They are
 * valid until the next call.
 */
export function candidates(
  segment: Segment,
  matchers: readonly Matcher[],
  type: SearchType,
  budget: Budget,
): Uint32Array {
  // An optional word does not narrow the candidates.
  const required = matchers.filter(({ word }) => !word.optional)
  const byLength = (required.length > 0 ? required : matchers)
    .map(matcher => ({ matcher, length: totalLength(segment, matcher, type, 'all') }))
    .sort((a, b) => a.length - b.length)
  const [rarest, ...others] = byLength
  if (rarest === undefined || rarest.length === 0) return new Uint32Array(0)
  budget.spend(rarest.length / postingsPerStep + segment.count / documentsPerStep)
  let docs =
    rarest.length <= maxSorted
      ? sortedDocuments(segment, rarest.matcher, type, rarest.length)
      : documentsOf(segment, [rarest.matcher], type, 'all').membersFrom(0, scratchFor(rarest.length))
  const used = new Set([rarest.matcher.word.text])
  for (const { matcher, length } of others) {
    if (docs.length < minToNarrow || length > docs.length * maxLengthRatio) break
    if (used.has(matcher.word.text)) continue
    used.add(matcher.word.text)
    budget.spend((length + docs.length) / postingsPerStep + segment.count / documentsPerStep)
    docs = documentsOf(segment, [matcher], type, 'all').intersect(docs, docs)
  }
  return withoutAreaOnly(segment, matchers, type, docs, budget)
}

/** Removes documents that match by area or country alone: at least one word has to match a name, address or label. */
function withoutAreaOnly(
  segment: Segment,
  matchers: readonly Matcher[],
  type: SearchType,
  docs: Uint32Array,
  budget: Budget,
): Uint32Array {
  if (docs.length < minToNarrow || matchers.every(({ areas, country }) => areas.size === 0 && country === 0))
    return docs
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

/** Adds documents with a name of exactly these words if all words are common. Returns false if there are too many. */
export function addNamed(
  { arrays: { commonHash, commonDocs } }: Segment,
  matchers: readonly Matcher[],
  to: Bitmap,
): boolean {
  const hash = termBagHash(matchers.map(({ exact }) => exact))
  const from = lowerBound(commonHash, hash)
  let end = from
  while (end < commonHash.length && commonHash[end] === hash && end - from < maxRanked) end++
  to.addRange(commonDocs, from, end)
  return end - from < maxRanked
}
