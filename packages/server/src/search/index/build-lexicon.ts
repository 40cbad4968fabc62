import { noBestLists } from './best-lists.ts'
import type { GroupIndex } from './groups.ts'
import type { LexiconData } from './lexicon.ts'
import type { SegmentArrays, SegmentData } from './segment.ts'
import { buildSpelling } from './spelling.ts'
import { buildTerms, TermDictionary } from './term-dictionary.ts'
import { sharedArray, sharedCopy } from './typed-arrays.ts'

/** A part with the number of its terms below each term of the lexicon; the last entry is the number of its terms. */
interface MergedPart {
  readonly arrays: SegmentArrays
  readonly below: Uint32Array
}

/** Builds the lexicon of parts, without best lists: their terms, with the statistics that a single part would have. */
export function buildLexicon(parts: readonly SegmentData[]): LexiconData {
  const { sorted, partTerms } = mergeTerms(parts)
  const merged = parts.map(({ arrays }, i) => ({
    arrays,
    below: partTerms.subarray(i * (sorted.length + 1), (i + 1) * (sorted.length + 1)),
  }))
  return {
    count: parts.reduce((sum, { facts }) => sum + facts.count, 0),
    arrays: {
      ...buildTerms(sorted),
      partTerms,
      weight: weightsOf(merged, sorted.length),
      commonTerms: commonTermsOf(merged, sorted.length),
      nameStart: sumsOf(merged, sorted.length, ({ nameStart }) => nameStart),
      addressStart: sumsOf(merged, sorted.length, ({ addressStart }) => addressStart),
      areaTermStart: distinctGroups(merged, sorted.length, arrays => ({
        keys: arrays.areaKey,
        termStart: arrays.areaTermStart,
        termGroups: arrays.areaTermAreas,
      })),
      labelTermStart: distinctGroups(merged, sorted.length, arrays => ({
        keys: arrays.labelKey,
        termStart: arrays.labelTermStart,
        termGroups: arrays.labelTermSets,
      })),
      ...buildSpelling(sorted),
      ...noBestLists(),
    },
  }
}

/** Merges the sorted terms of all parts. */
function mergeTerms(parts: readonly SegmentData[]) {
  const dictionaries = parts.map(({ arrays }) => new TermDictionary(arrays))
  const next = dictionaries.map(() => 0)
  const heads = dictionaries.map(terms => (terms.count > 0 ? terms.text(0) : undefined))
  const sorted: string[] = []
  const below: number[][] = parts.map(() => [])
  for (;;) {
    let least: string | undefined
    for (const head of heads) if (head !== undefined && (least === undefined || head < least)) least = head
    for (const [part, at] of next.entries()) below[part]!.push(at)
    if (least === undefined) break
    sorted.push(least)
    for (const [part, terms] of dictionaries.entries()) {
      if (heads[part] !== least) continue
      next[part]!++
      heads[part] = next[part]! < terms.count ? terms.text(next[part]!) : undefined
    }
  }
  const partTerms = sharedArray(Uint32Array, parts.length * (sorted.length + 1))
  for (const [part, column] of below.entries()) partTerms.set(column, part * (sorted.length + 1))
  return { sorted, partTerms }
}

/** Returns the weight of each term; all parts with the term have the same. */
function weightsOf(parts: readonly MergedPart[], terms: number): Uint8Array {
  const weight = sharedArray(Uint8Array, terms)
  for (const { arrays, below } of parts) {
    for (let term = 0; term < terms; term++)
      if (below[term + 1]! > below[term]!) weight[term] = arrays.weight[below[term]!]!
  }
  return weight
}

function commonTermsOf(parts: readonly MergedPart[], terms: number): Uint32Array {
  const isCommon = new Uint8Array(terms)
  for (const { arrays, below } of parts) {
    const common = new Set(arrays.commonTerms)
    for (let term = 0; term < terms; term++)
      if (below[term + 1]! > below[term]! && common.has(below[term]!)) isCommon[term] = 1
  }
  const found: number[] = []
  for (let term = 0; term < terms; term++) if (isCommon[term] === 1) found.push(term)
  return sharedCopy(found, Uint32Array)
}

/** Returns the prefix sums of the lengths of the lists of all parts. */
function sumsOf(
  parts: readonly MergedPart[],
  terms: number,
  startOf: (arrays: SegmentArrays) => Uint32Array,
): Uint32Array {
  const sums = sharedArray(Uint32Array, terms + 1)
  for (const { arrays, below } of parts) {
    const start = startOf(arrays)
    for (let term = 0; term <= terms; term++) sums[term]! += start[below[term]!]!
  }
  return sums
}

/** Returns the prefix sums of the numbers of distinct groups of each term; groups with equal keys are one. */
function distinctGroups(
  parts: readonly MergedPart[],
  terms: number,
  groupsOf: (arrays: SegmentArrays) => Pick<GroupIndex, 'termStart' | 'termGroups'> & { readonly keys: Float64Array },
): Uint32Array {
  const numbers = new Map<number, number>()
  const columns = parts.map(({ arrays, below }) => {
    const { keys, termStart, termGroups } = groupsOf(arrays)
    const number = Uint32Array.from(keys, key => {
      if (!numbers.has(key)) numbers.set(key, numbers.size)
      return numbers.get(key)!
    })
    return { below, termStart, termGroups, number }
  })
  const lastTerm = new Int32Array(numbers.size).fill(-1)
  const start = sharedArray(Uint32Array, terms + 1)
  for (let term = 0; term < terms; term++) {
    let count = 0
    for (const { below, termStart, termGroups, number } of columns) {
      for (let at = termStart[below[term]!]!; at < termStart[below[term + 1]!]!; at++) {
        const group = number[termGroups[at]!]!
        if (lastTerm[group] === term) continue
        lastTerm[group] = term
        count++
      }
    }
    start[term + 1] = start[term]! + count
  }
  return start
}
