import type { SearchType } from '../../domain/search.ts'
import { Bitmap } from '../index/bitmap.ts'
import type { Segment } from '../index/segment.ts'
import type { Budget } from './budget.ts'
import type { Matcher } from './matcher.ts'

/** Up to so many places are gathered one by one; more go through a bitmap of the whole segment. */
const fewDocs = 4096
/** So few documents are looked at one by one. */
const worthNarrowing = 64
/** Another word's list is worth intersecting with while it is at most so many times longer. */
const worthIntersecting = 40

/** Visits runs of documents that may match a word: `docs` from `from` up to `to`. */
type VisitRuns = (docs: Uint32Array, from: number, to: number) => void

/** What is looked for: all that a word can match, or only what a place is called and what kind it is. */
type Roads = 'all' | 'own'

/** All documents that the matcher can match by name, address or label, and by area, in runs with repetitions. */
function eachRun({ arrays }: Segment, matcher: Matcher, type: SearchType, roads: Roads, visit: VisitRuns): void {
  const lists = (start: Uint32Array, docs: Uint32Array) => {
    const run = (first: number, last: number) => {
      if (start[last]! > start[first]!) visit(docs, start[first]!, start[last]!)
    }
    if (matcher.to > matcher.from) run(matcher.from, matcher.to)
    else if (matcher.exact >= 0) run(matcher.exact, matcher.exact + 1)
    for (const term of matcher.similar?.keys() ?? []) run(term, term + 1)
  }
  if (type !== 'ADDRESS') lists(arrays.nameStart, arrays.nameDocs)
  if (type !== 'NAME') lists(arrays.addressStart, arrays.addressDocs)
  if (type !== 'ADDRESS') matcher.labels.eachDocs(visit)
  if (roads === 'own') return
  const { country } = matcher
  if (country > 0) visit(arrays.countryDocs, arrays.countryStart[country]!, arrays.countryStart[country + 1]!)
  matcher.areas.eachDocs(visit)
}

/** Documents in all runs, repetitions included. */
function sizeOf({ arrays }: Segment, matcher: Matcher, type: SearchType, roads: Roads): number {
  const { exact, from, to, similar, areas, labels, country } = matcher
  const lists = (start: Uint32Array) => {
    let size = to > from ? start[to]! - start[from]! : exact >= 0 ? start[exact + 1]! - start[exact]! : 0
    for (const term of similar?.keys() ?? []) size += start[term + 1]! - start[term]!
    return size
  }
  let size = type === 'ADDRESS' ? 0 : labels.size
  if (roads === 'all') size += areas.size
  if (roads === 'all' && country > 0) size += arrays.countryStart[country + 1]! - arrays.countryStart[country]!
  if (type !== 'ADDRESS') size += lists(arrays.nameStart)
  if (type !== 'NAME') size += lists(arrays.addressStart)
  return size
}

/**
 * Documents among which are all that match every word: those of the rarest word, narrowed by the lists of others as
 * long as that costs less than looking at the documents. Distinct and ascending.
 */
export function candidates(
  segment: Segment,
  matchers: readonly Matcher[],
  type: SearchType,
  budget: Budget,
): Uint32Array {
  // A word that may be left out narrows nothing.
  const listed = matchers.filter(({ word }) => !word.optional)
  const bySize = (listed.length > 0 ? listed : matchers)
    .map(matcher => ({ matcher, size: sizeOf(segment, matcher, type, 'all') }))
    .sort((a, b) => a.size - b.size)
  const [rarest, ...others] = bySize
  if (rarest === undefined || rarest.size === 0) return new Uint32Array(0)
  budget.spend(rarest.size / 8)
  if (budget.exhausted) return new Uint32Array(0)
  let docs =
    rarest.size <= fewDocs
      ? gathered(segment, rarest.matcher, type, rarest.size)
      : documentsOf(segment, [rarest.matcher], type, 'all').members()
  const used = new Set([rarest.matcher.word.text])
  for (const { matcher, size } of others) {
    if (docs.length < worthNarrowing || size > docs.length * worthIntersecting || budget.exhausted) break
    if (used.has(matcher.word.text)) continue
    used.add(matcher.word.text)
    budget.spend(size / 8)
    docs = documentsOf(segment, [matcher], type, 'all').among(docs)
  }
  return withAName(segment, matchers, type, docs, budget)
}

/** A place is found by what it is called or what it is, never by where it lies alone. */
function withAName(
  segment: Segment,
  matchers: readonly Matcher[],
  type: SearchType,
  docs: Uint32Array,
  budget: Budget,
): Uint32Array {
  if (docs.length < worthNarrowing || matchers.every(({ areas, country }) => areas.size === 0 && country === 0))
    return docs
  const size = matchers.reduce((sum, matcher) => sum + sizeOf(segment, matcher, type, 'own'), 0)
  if (size > docs.length * worthIntersecting || budget.exhausted) return docs
  budget.spend(size / 8)
  return documentsOf(segment, matchers, type, 'own').among(docs)
}

function gathered(segment: Segment, matcher: Matcher, type: SearchType, size: number): Uint32Array {
  const found = new Uint32Array(size)
  let count = 0
  eachRun(segment, matcher, type, 'all', (docs, from, to) => {
    found.set(docs.subarray(from, to), count)
    count += to - from
  })
  found.sort()
  let distinct = 0
  for (let i = 0; i < count; i++) if (i === 0 || found[i] !== found[i - 1]) found[distinct++] = found[i]!
  return found.subarray(0, distinct)
}

/** All documents of some words; valid until the next call for the segment. */
function documentsOf(segment: Segment, matchers: readonly Matcher[], type: SearchType, roads: Roads): Bitmap {
  const bits = Bitmap.of(segment, 'listed')
  for (const matcher of matchers) {
    eachRun(segment, matcher, type, roads, (docs, from, to) => bits.addRun(docs, from, to))
  }
  return bits
}
