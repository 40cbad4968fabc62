import type { SearchType } from '../domain/search.ts'
import type { Budget } from './budget.ts'
import type { Matcher } from './matcher.ts'
import type { Segment } from './segment.ts'

/** Up to so many places are gathered one by one; more go through a bitmap of the whole segment. */
const fewDocs = 4096
/** So few documents are looked at one by one. */
const worthNarrowing = 64
/** Another word's list is worth intersecting with while it is at most so many times longer. */
const worthIntersecting = 40

/** Visits runs of documents that may match a word: `docs` from `from` up to `to`. */
type VisitRuns = (docs: Uint32Array, from: number, to: number) => void

/** All documents that the matcher can match by name, address, area or label, in runs with repetitions. */
function eachRun({ arrays }: Segment, matcher: Matcher, type: SearchType, visit: VisitRuns): void {
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
  const { country } = matcher
  if (country > 0) visit(arrays.countryDocs, arrays.countryStart[country]!, arrays.countryStart[country + 1]!)
  matcher.areas.eachDocs(visit)
  if (type !== 'ADDRESS') matcher.labels.eachDocs(visit)
}

/** Documents in all runs, repetitions included. */
function sizeOf({ arrays }: Segment, matcher: Matcher, type: SearchType): number {
  const { exact, from, to, similar, areas, labels, country } = matcher
  const lists = (start: Uint32Array) => {
    let size = to > from ? start[to]! - start[from]! : exact >= 0 ? start[exact + 1]! - start[exact]! : 0
    for (const term of similar?.keys() ?? []) size += start[term + 1]! - start[term]!
    return size
  }
  let size = areas.size + (type === 'ADDRESS' ? 0 : labels.size)
  if (country > 0) size += arrays.countryStart[country + 1]! - arrays.countryStart[country]!
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
    .map(matcher => ({ matcher, size: sizeOf(segment, matcher, type) }))
    .sort((a, b) => a.size - b.size)
  const [rarest, ...others] = bySize
  if (rarest === undefined || rarest.size === 0) return new Uint32Array(0)
  budget.spend(rarest.size / 8)
  if (budget.exhausted) return new Uint32Array(0)
  let docs =
    rarest.size <= fewDocs
      ? gathered(segment, rarest.matcher, type, rarest.size)
      : members(bitmap(segment, rarest.matcher, type))
  const used = new Set([rarest.matcher.word.text])
  for (const { matcher, size } of others) {
    if (docs.length < worthNarrowing || size > docs.length * worthIntersecting || budget.exhausted) break
    if (used.has(matcher.word.text)) continue
    used.add(matcher.word.text)
    budget.spend(size / 8)
    const bits = bitmap(segment, matcher, type)
    docs = docs.filter(doc => (bits[doc >>> 5]! & (1 << (doc & 31))) !== 0)
  }
  return docs
}

function gathered(segment: Segment, matcher: Matcher, type: SearchType, size: number): Uint32Array {
  const found = new Uint32Array(size)
  let count = 0
  eachRun(segment, matcher, type, (docs, from, to) => {
    found.set(docs.subarray(from, to), count)
    count += to - from
  })
  found.sort()
  let distinct = 0
  for (let i = 0; i < count; i++) if (i === 0 || found[i] !== found[i - 1]) found[distinct++] = found[i]!
  return found.subarray(0, distinct)
}

const scratch = new WeakMap<Segment, Uint32Array>()

/** A bitmap of all documents of a word; valid until the next call for the segment. */
function bitmap(segment: Segment, matcher: Matcher, type: SearchType): Uint32Array {
  const bits = scratch.get(segment) ?? new Uint32Array((segment.count + 31) >>> 5)
  scratch.set(segment, bits.fill(0))
  eachRun(segment, matcher, type, (docs, from, to) => {
    for (let at = from; at < to; at++) {
      const doc = docs[at]!
      bits[doc >>> 5]! |= 1 << (doc & 31)
    }
  })
  return bits
}

function members(bits: Uint32Array): Uint32Array {
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i]!
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  const found = new Uint32Array(count)
  let next = 0
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i]!; word !== 0; word &= word - 1) found[next++] = i * 32 + (31 - Math.clz32(word & -word))
  }
  return found
}
