import type { Matcher } from './matcher.ts'
import type { Segment } from './segment.ts'
import { closedPenalty, quality, strength } from './weights.ts'

/** Documents from which it pays to stop comparing early. */
export const worthBounding = 200
/** Results wanted beyond which everything is compared. */
const longestPage = 200

/**
 * Compares documents of one word, given by popularity, with the query, best hopes first: those that hold the word
 * whole, then those that hold a longer one. It ends where the popularity left cannot lift a document onto the page;
 * what was not compared is handed over with a score below all others. The page is the one that comparing all gives.
 */
export function compareOneWord(
  { arrays: { nameStart, nameDocs } }: Segment,
  { exact, word }: Matcher,
  docs: readonly number[],
  page: number,
  bonusOf: (doc: number) => number,
  compare: (doc: number) => { readonly score: number; readonly name: number },
  hand: (doc: number, score: number, name: number) => void,
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
    for (let i = 0; i < from.length; i++) {
      const doc = from[i]!
      const full = page <= longestPage && best.length === page
      if (full && best[0]! > highest + bonusOf(doc)) {
        for (; i < from.length; i++) hand(from[i]!, -2 * closedPenalty, -1)
        return
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
  run(holders, 1 + quality.code)
  const prefix = strength.prefix + (strength.prefixGain * word.text.length) / (word.text.length + 1)
  run(others, prefix * (quality.base + quality.completeness * prefix + quality.ordered + quality.startsName))
}
