import type { Segment } from '../index/segment.ts'
import { closedPenalty, quality, strength } from '../index/weights.ts'
import type { Matcher } from './matcher.ts'

/** Documents from which it pays to stop comparing early. */
export const worthBounding = 200
/** Results wanted beyond which everything is compared. */
const longestPage = 200

/** What comparing the documents of one word goes by. */
export interface Comparison {
  /** Places that are wanted in order. */
  readonly page: number
  /** On the quality of this spelling. */
  readonly factor: number
  readonly looksLikeCode: boolean
  /** The most that is added to the quality of a document. */
  readonly bonusOf: (doc: number) => number
  /** Whether no later document has a greater bonus. */
  readonly bonusFalls: boolean
  readonly compare: (doc: number) => { readonly score: number; readonly name: number }
  readonly hand: (doc: number, score: number, name: number) => void
}

/**
 * Compares documents of one word, given by popularity, with the query, best hopes first: those that hold the word
 * whole, then the others. What cannot come onto the page even with the best quality is not compared, but handed over
 * with a score below all others. The page is the one that comparing all gives.
 */
export function compareOneWord(
  { arrays: { nameStart, nameDocs } }: Segment,
  { exact, word, similar }: Matcher,
  docs: readonly number[],
  { page, factor, looksLikeCode, bonusOf, bonusFalls, compare, hand }: Comparison,
): void {
  const whole = exact < 0 ? new Uint32Array(0) : nameDocs.subarray(nameStart[exact], nameStart[exact + 1])
  const holders: number[] = []
  const others: number[] = []
  for (let i = 0, at = 0; i < docs.length; i++) {
    while (at < whole.length && whole[at]! < docs[i]!) at++
    if (whole[at] === docs[i]) holders.push(docs[i]!)
    else others.push(docs[i]!)
  }
  /** The best scores so far, ascending, at most as many as the page needs. */
  const best: number[] = []
  const run = (from: readonly number[], highest: number) => {
    let pastHope = false
    for (const doc of from) {
      const full = page <= longestPage && best.length === page
      if (pastHope || (full && best[0]! > highest * factor + bonusOf(doc))) {
        pastHope = bonusFalls
        hand(doc, -2 * closedPenalty, -1)
        continue
      }
      const { score, name } = compare(doc)
      hand(doc, score, name)
      if (page > longestPage || (full && score <= best[0]!)) continue
      if (full) best.shift()
      let at = best.length
      while (at > 0 && best[at - 1]! > score) at--
      best.splice(at, 0, score)
    }
  }
  run(holders, looksLikeCode ? 1 + quality.code : 1)
  const prefix = strength.prefix + (strength.prefixGain * word.text.length) / (word.text.length + 1)
  const most = Math.max(prefix, strength.category, similar === undefined ? 0 : strength.edits[1])
  run(others, most * (quality.base + quality.completeness * most + quality.ordered + quality.startsName))
}
