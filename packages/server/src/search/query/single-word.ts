import { isCommonTerm } from '../index/common-names.ts'
import type { Segment } from '../index/segment.ts'
import { minTermWeight } from '../index/term-weight.ts'
import type { BestScores } from './best-scores.ts'
import type { Bitmap } from './bitmap.ts'
import type { Matcher } from './matcher.ts'
import { quality, strength } from './weights.ts'

/** Upper bounds of the quality of a document of a query of one word. */
export interface QualityBounds {
  /** Documents with the whole word in a name that may be their entire name. */
  readonly named: number
  /** Other documents with the whole word in a name. */
  readonly whole: number
  /** Documents without it. */
  readonly other: number
}

/**
 * Returns upper bounds of the quality. `knowsNamed` is true if the documents whose entire name is the word are compared with
 * the bound `named` if the word is common.
 */
export function boundQuality(
  { arrays }: Segment,
  { exact, word, similar }: Matcher,
  { looksLikeCode, knowsNamed }: { readonly looksLikeCode: boolean; readonly knowsNamed: boolean },
): QualityBounds {
  const named = looksLikeCode ? 1 + quality.code : 1
  const isTight = knowsNamed && !looksLikeCode && exact >= 0 && isCommonTerm(arrays.nameStart, exact)
  // All other names have at least one more term.
  const share = isTight ? arrays.weight[exact]! / (arrays.weight[exact]! + minTermWeight) : 1
  const ofStrength = (value: number, share = value) =>
    value * (quality.base + quality.completeness * share + quality.ordered + quality.startsName)
  const prefix = strength.prefix + (strength.prefixGain * word.text.length) / (word.text.length + 1)
  return {
    named,
    whole: isTight ? ofStrength(1, share) : named,
    other: Math.max(
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
  /** `typed` is the bound of preferred documents without the whole word, which may match as typed. */
  readonly bounds: QualityBounds & { readonly typed: number }
  /** Documents of any bonus, ascending, among them those of the bound `named`. */
  readonly preferred: readonly number[]
  /** All other documents, ascending. */
  readonly others: Uint32Array
  /** Returns an upper bound of the bonus that is added to the quality of a document. */
  readonly maxBonusOf: (doc: number) => number
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
 * (Turtle and Flood 1995). Documents are ascending, that is by popularity. Documents with the whole word in a name come
 * first, then the others. A document that cannot reach the page even with the maximum quality is not compared. The page
 * is the same as if all documents were compared. Returns the number of documents that were compared.
 */
export function compareSingleWord(segment: Segment, matcher: Matcher, comparison: Comparison): number {
  const { best, bounds, preferred, others, maxBonusOf, decreasingBonusOf, skip } = comparison
  const whole = documentsWithWord(segment, matcher)
  let compared = 0
  const consider = (doc: number, maxQuality: number) => {
    if (best.exclude(maxQuality + maxBonusOf(doc))) {
      skip?.(doc)
      return
    }
    compared++
    comparison.compare(doc)
  }
  let isWhole = createMembership(whole)
  for (const doc of preferred) consider(doc, isWhole(doc) ? bounds.named : bounds.typed)
  for (const inName of whole.length > 0 ? [true, false] : [false]) {
    const maxQuality = inName ? bounds.whole : bounds.other
    isWhole = createMembership(whole)
    let hasEnded = false
    for (let i = 0; i < others.length; i++) {
      const doc = others[i]!
      if (whole.length > 0 && isWhole(doc) !== inName) continue
      hasEnded ||= best.exclude(maxQuality + decreasingBonusOf(doc, inName))
      if (!hasEnded) consider(doc, maxQuality)
      else if (skip) skip(doc)
      else break
    }
  }
  return compared
}

/** Maximum number of postings of a misspelled word as it was typed. */
const maxTyped = 256

/**
 * Adds the documents that match a word as typed, if they are few. Returns true if all other documents match it only as
 * a misspelling.
 */
export function addTyped({ arrays }: Segment, { exact, from, to, labels, similar }: Matcher, typed: Bitmap): boolean {
  if (similar === undefined || labels.size > 0) return false
  const { nameStart, nameDocs } = arrays
  const [first, last] = to > from ? [from, to] : exact < 0 ? [0, 0] : [exact, exact + 1]
  if (nameStart[last]! - nameStart[first]! > maxTyped) return false
  typed.addRange(nameDocs, nameStart[first]!, nameStart[last]!)
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
