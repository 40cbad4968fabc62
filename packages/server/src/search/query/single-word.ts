import type { Segment } from '../index/segment.ts'
import type { Matcher } from './matcher.ts'
import { closedPenalty, quality, strength } from './weights.ts'

/** Number of documents from which early termination pays off. */
export const minToTerminateEarly = 200
/** Maximum page size with early termination; for larger pages all documents are compared. */
const maxPage = 200

/** Inputs of the comparison of a query of one word with documents. */
export interface Comparison {
  /** Number of results that have to be in their final order. */
  readonly page: number
  /** Factor on the quality of this variant of the query. */
  readonly factor: number
  readonly looksLikeCode: boolean
  /** Returns an upper bound of the bonus that is added to the quality of a document. */
  readonly bonusOf: (doc: number) => number
  /** The bonus never increases from one document to the next. */
  readonly bonusDecreases: boolean
  readonly compare: (doc: number) => { readonly score: number; readonly name: number }
  /** Receives every document with its score and matching name. */
  readonly collect: (doc: number, score: number, name: number) => void
}

/**
 * Scores the documents of a query of one word with early termination by score upper bounds, in the manner of MaxScore
 * (Turtle and Flood 1995). `docs` are ascending, that is by popularity. Documents with the whole word in a name come
 * first, then the others. A document that cannot reach the page even with maximum quality is collected with a score
 * below all others instead of being compared. The page is the same as if all documents were compared.
 */
export function compareSingleWord(
  { arrays: { nameStart, nameDocs } }: Segment,
  { exact, word, similar }: Matcher,
  docs: readonly number[],
  { page, factor, looksLikeCode, bonusOf, bonusDecreases, compare, collect }: Comparison,
): void {
  const whole = exact < 0 ? new Uint32Array(0) : nameDocs.subarray(nameStart[exact], nameStart[exact + 1])
  const [withWord, others] = partition(docs, whole)
  /** Best scores so far, ascending; at most as many as the page needs. */
  const best: number[] = []
  const compareAll = (some: readonly number[], maxQuality: number) => {
    let isTerminated = false
    for (const doc of some) {
      const isFull = page <= maxPage && best.length === page
      if (isTerminated || (isFull && best[0]! > maxQuality * factor + bonusOf(doc))) {
        isTerminated = bonusDecreases
        collect(doc, -2 * closedPenalty, -1)
        continue
      }
      const { score, name } = compare(doc)
      collect(doc, score, name)
      if (page > maxPage || (isFull && score <= best[0]!)) continue
      if (isFull) best.shift()
      let at = best.length
      while (at > 0 && best[at - 1]! > score) at--
      best.splice(at, 0, score)
    }
  }
  compareAll(withWord, looksLikeCode ? 1 + quality.code : 1)
  const prefix = strength.prefix + (strength.prefixGain * word.text.length) / (word.text.length + 1)
  const most = Math.max(prefix, strength.category, similar === undefined ? 0 : strength.edits[1])
  compareAll(others, most * (quality.base + quality.completeness * most + quality.ordered + quality.startsName))
}

/** Splits ascending documents into those that the ascending list contains and the others. */
function partition(docs: readonly number[], list: Uint32Array): [inList: number[], others: number[]] {
  const inList: number[] = []
  const others: number[] = []
  for (let i = 0, at = 0; i < docs.length; i++) {
    while (at < list.length && list[at]! < docs[i]!) at++
    if (list[at] === docs[i]) inList.push(docs[i]!)
    else others.push(docs[i]!)
  }
  return [inList, others]
}
