import { noBestLists } from './best-lists.ts'
import { commonTermsOf } from './common-names.ts'
import type { GroupIndex } from './groups.ts'
import type { LexiconArrays, LexiconData } from './lexicon.ts'
import type { TermStatistics } from './scores.ts'
import type { SegmentArrays, SegmentData, SegmentPlaces } from './segment.ts'
import { buildSpelling } from './spelling.ts'
import { buildTerms, TermDictionary } from './term-dictionary.ts'
import { termWeights } from './term-weight.ts'
import { sharedArray, sharedCopy } from './typed-arrays.ts'

/** A part with the number of its terms below each term of the lexicon; the last entry is the number of its terms. */
interface MergedPart<Arrays> {
  readonly arrays: Arrays
  readonly below: Uint32Array
}

/** Terms of all parts, with the statistics that a single part would have. */
export interface MergedTerms {
  /** Number of documents in all parts. */
  readonly count: number
  readonly sorted: readonly string[]
  readonly arrays: Pick<LexiconArrays, 'partTerms' | 'weight' | 'commonTerms' | 'nameStart'>
}

/** Merges the terms of parts, and computes their weights from the documents of all. */
export function mergeTerms(parts: readonly SegmentPlaces[]): MergedTerms {
  const { sorted, partTerms } = mergeSorted(parts)
  const count = parts.reduce((sum, { facts }) => sum + facts.count, 0)
  const nameStart = sumsOf(mergedParts(parts, partTerms), sorted.length, arrays => arrays.nameStart)
  const weight = termWeights(sorted, nameStart, count)
  return { count, sorted, arrays: { partTerms, weight, commonTerms: commonTermsOf(nameStart), nameStart } }
}

/** Returns the statistics of the terms of a part. */
export function statisticsOf({ sorted, arrays }: MergedTerms, part: number): TermStatistics {
  const below = arrays.partTerms.subarray(part * (sorted.length + 1), (part + 1) * (sorted.length + 1))
  const weight = sharedArray(Uint8Array, below[sorted.length]!)
  for (let term = 0; term < sorted.length; term++)
    if (below[term + 1]! > below[term]!) weight[below[term]!] = arrays.weight[term]!
  const common = Array.from(arrays.commonTerms).filter(term => below[term + 1]! > below[term]!)
  return {
    weight,
    commonTerms: sharedCopy(
      common.map(term => below[term]!),
      Uint32Array,
    ),
  }
}

/** Builds the lexicon of scored parts, without best lists. */
export function buildLexicon({ count, sorted, arrays }: MergedTerms, parts: readonly SegmentData[]): LexiconData {
  const merged = mergedParts(parts, arrays.partTerms)
  return {
    count,
    arrays: {
      ...arrays,
      ...buildTerms(sorted),
      addressStart: sumsOf(merged, sorted.length, ({ addressStart }) => addressStart),
      areaTermStart: distinctGroups(merged, sorted.length, ({ areaKey, areaTermStart, areaTermAreas }) => ({
        keys: areaKey,
        termStart: areaTermStart,
        termGroups: areaTermAreas,
      })),
      labelTermStart: distinctGroups(merged, sorted.length, ({ labelKey, labelTermStart, labelTermSets }) => ({
        keys: labelKey,
        termStart: labelTermStart,
        termGroups: labelTermSets,
      })),
      ...buildSpelling(sorted),
      ...noBestLists(),
    },
  }
}

function mergedParts<Arrays>(
  parts: readonly { readonly arrays: Arrays }[],
  partTerms: Uint32Array,
): MergedPart<Arrays>[] {
  const length = partTerms.length / parts.length
  return parts.map(({ arrays }, i) => ({ arrays, below: partTerms.subarray(i * length, (i + 1) * length) }))
}

/** Merges the sorted terms of all parts. */
function mergeSorted(parts: readonly SegmentPlaces[]) {
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

/** Returns the prefix sums of the lengths of the lists of all parts. */
function sumsOf<Arrays>(
  parts: readonly MergedPart<Arrays>[],
  terms: number,
  startOf: (arrays: Arrays) => Uint32Array,
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
  parts: readonly MergedPart<SegmentArrays>[],
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
