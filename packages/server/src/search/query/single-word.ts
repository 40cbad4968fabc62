import { isCommonTerm } from '../index/common-names.ts'
import type { Segment } from '../index/segment.ts'
import { minTermWeight } from '../index/term-weight.ts'
import { BestScores } from './best-scores.ts'
import type { Bitmap } from './bitmap.ts'
import type { Matcher } from './matcher.ts'
import { quality, strength } from './weights.ts'

/** Upper bounds of the quality of the documents of a query of one word, except for preferred ones. */
export interface QualityBounds {
  /** Documents with the whole word in a name. */
  readonly whole: number
  /** Documents without it. */
  readonly other: number
}

/**
 * Returns upper bounds of the quality. `knowsNamed` is true if the documents whose entire name is the word are preferred
 * if the word is common.
 */
export function boundQuality(
  { arrays }: Segment,
  { exact, same, word, similar }: Matcher,
  { looksLikeCode, knowsNamed }: { readonly looksLikeCode: boolean; readonly knowsNamed: boolean },
): QualityBounds {
  const isTight = knowsNamed && !looksLikeCode && exact >= 0 && isCommonTerm(arrays.commonTerms, exact)
  // All other names have at least one more term.
  const share = isTight ? arrays.weight[exact]! / (arrays.weight[exact]! + minTermWeight) : 1
  const ofStrength = (value: number, share = value) =>
    value * (quality.base + quality.completeness * share + quality.ordered + quality.startsName)
  const prefix = strength.prefix + (strength.prefixGain * word.text.length) / (word.text.length + 1)
  return {
    whole: ofStrength(1, share) + (looksLikeCode ? quality.code : 0),
    other: Math.max(
      same.length > 0 ? ofStrength(strength.same) : 0,
      word.unfinished ? ofStrength(prefix) : 0,
      similar === undefined ? 0 : ofStrength(strength.edits[1]),
      quality.categoryAndArea * strength.category,
    ),
  }
}

/** Inputs of the comparison of a query of one word with documents. */
export interface Comparison {
  /** The best scores of the results. */
  readonly best: BestScores
  /** Upper bounds of the quality of the other documents. */
  readonly bounds: QualityBounds
  /** Documents of any bonus, ascending, among them those whose entire name is the word if it is common. */
  readonly preferred: readonly number[]
  /** All other documents, ascending. */
  readonly others: Uint32Array
  /** Returns an upper bound of the quality of a preferred document, and of another one. */
  readonly maxQualityOf: (doc: number) => number
  readonly maxQualityOfOther: (doc: number) => number
  /** Returns an upper bound of the bonus that is added to the quality of a document. */
  readonly maxBonusOf: (doc: number) => number
  /** Returns a tighter bound, which takes longer. */
  readonly tightBonusOf: (doc: number) => number
  /** True if a location bias decides more than prominence, the order of the documents. */
  readonly isBiased: boolean
  /**
   * Returns such a bound for the other documents, with or without the whole word in a name. It never increases from one
   * of them to the next.
   */
  readonly decreasingBonusOf: (doc: number, inName: boolean) => number
  /** Compares a document and adds it to the results. */
  readonly compare: (doc: number) => void
  /** Receives every document that is not compared; undefined if their number is enough. */
  readonly skip?: (doc: number) => void
}

/**
 * Scores the documents of a query of one word with early termination by score upper bounds, in the manner of MaxScore
 * (Turtle and Flood 1995). Documents are ascending, that is by prominence. Documents with the whole word in a name come
 * first, then the others. A document that cannot reach the page even with its maximum quality is not compared. The page
 * is the same as if all documents were compared. Returns the number of documents that were compared.
 */
export function compareSingleWord(segment: Segment, matcher: Matcher, comparison: Comparison): number {
  const { best, bounds, preferred, others, maxQualityOf, maxQualityOfOther, maxBonusOf, decreasingBonusOf } = comparison
  const { skip } = comparison
  const whole = documentsWithWord(segment, matcher)
  let compared = 0
  const compare = (doc: number) => {
    compared++
    comparison.compare(doc)
  }
  const consider = (doc: number, maxQuality: number) => {
    if (best.exclude(maxQuality + maxBonusOf(doc))) skip?.(doc)
    else compare(doc)
  }
  // Those with the highest bounds come first, so that they exclude most of the others.
  const considerByBound = (docs: ArrayLike<number>, qualityOf: (doc: number) => number) => {
    const maxScores = new Float64Array(docs.length)
    for (let i = 0; i < docs.length; i++) maxScores[i] = qualityOf(docs[i]!) + maxBonusOf(docs[i]!)
    const isPromising = markHighest(maxScores, best.wanted)
    for (let i = 0; i < docs.length; i++) if (isPromising[i] === 1) compare(docs[i]!)
    for (let i = 0; i < docs.length; i++) {
      if (isPromising[i] === 1) continue
      const doc = docs[i]!
      if (best.exclude(maxScores[i]!) || best.exclude(qualityOf(doc) + comparison.tightBonusOf(doc))) skip?.(doc)
      else compare(doc)
    }
  }
  considerByBound(preferred, maxQualityOf)
  if (comparison.isBiased) {
    considerByBound(others, maxQualityOfOther)
    return compared
  }
  const promising = mostPromising(others, best.wanted, doc => maxQualityOfOther(doc) + decreasingBonusOf(doc, false))
  for (const doc of promising) compare(doc)
  const considerOthers = (inName: boolean, highest: number, isWhole: (doc: number) => boolean) => {
    let hasEnded = false
    for (let i = 0; i < others.length; i++) {
      const doc = others[i]!
      if (isWhole(doc) !== inName) continue
      const maxBonus = hasEnded ? 0 : decreasingBonusOf(doc, inName)
      hasEnded ||= best.exclude(highest + maxBonus)
      if (hasEnded && !skip) return
      const maxQuality = maxQualityOfOther(doc)
      if (hasEnded || best.exclude(maxQuality + maxBonus)) skip?.(doc)
      else if (!promising.has(doc)) consider(doc, maxQuality)
    }
  }
  if (whole.length > 0) considerOthers(true, bounds.whole, createMembership(whole))
  considerOthers(false, bounds.other, createMembership(whole))
  return compared
}

/** Returns 1 for each of the `wanted` highest scores: documents with these are compared first and exclude others. */
function markHighest(scores: Float64Array, wanted: number): Uint8Array {
  const marks = new Uint8Array(scores.length)
  const highest = new BestScores(wanted)
  for (let i = 0; i < scores.length; i++) highest.add(scores[i]!)
  for (let i = 0, left = wanted; i < scores.length && left > 0; i++) {
    if (highest.exclude(scores[i]!)) continue
    marks[i] = 1
    left--
  }
  return marks
}

/** Number of documents, the most popular, among which the most promising are looked up. */
const maxPromising = 512

/** Returns up to `wanted` of the first documents with the highest bounds, so that others are excluded early. */
function mostPromising(docs: Uint32Array, wanted: number, boundOf: (doc: number) => number): Set<number> {
  const found = new Set<number>()
  const first = docs.subarray(0, maxPromising)
  if (wanted === 0 || first.length <= wanted) return found
  const highest = new BestScores(wanted)
  for (const doc of first) highest.add(boundOf(doc))
  for (const doc of first) {
    if (highest.exclude(boundOf(doc))) continue
    found.add(doc)
    if (found.size === wanted) break
  }
  return found
}

/** Maximum number of postings of a misspelled word as it was typed. */
const maxTyped = 256

/**
 * Adds the documents of each part that match a word as typed to a set, if they are few. Returns true if all other
 * documents match it only as a misspelling.
 */
export function addTyped(
  parts: readonly { readonly segment: Segment }[],
  matchers: readonly Matcher[],
  typed: readonly Bitmap[],
): boolean {
  if (matchers.some(({ same, similar, labels }) => similar === undefined || same.length > 0 || labels.size > 0))
    return false
  const lists = parts.map(({ segment: { arrays } }, i) => {
    const { exact, from, to } = matchers[i]!
    const [first, last] = to > from ? [from, to] : exact < 0 ? [0, 0] : [exact, exact + 1]
    return arrays.nameDocs.subarray(arrays.nameStart[first], arrays.nameStart[last])
  })
  if (lists.reduce((sum, { length }) => sum + length, 0) > maxTyped) return false
  for (const [i, list] of lists.entries()) typed[i]!.addRange(list, 0, list.length)
  return true
}

/** Returns the documents with the whole word in a name, ascending. */
const documentsWithWord = ({ arrays: { nameStart, nameDocs } }: Segment, { exact }: Matcher): Uint32Array =>
  exact < 0 ? new Uint32Array(0) : nameDocs.subarray(nameStart[exact], nameStart[exact + 1])

/**
 * Returns a test for documents with the whole word in a name; its argument must not decrease from call to call.
 */
export const wholeWordTest = (segment: Segment, matcher: Matcher): ((doc: number) => boolean) =>
  createMembership(documentsWithWord(segment, matcher))

/** Returns a test for membership in an ascending list; its argument must not decrease from call to call. */
function createMembership(list: Uint32Array): (doc: number) => boolean {
  let at = 0
  return doc => {
    while (at < list.length && list[at]! < doc) at++
    return list[at] === doc
  }
}
