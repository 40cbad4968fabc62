import type { Budget } from '../index/budget.ts'
import type { Lexicon } from '../index/lexicon.ts'
import { similarTerms } from '../index/spelling.ts'
import { promisedEditsFor } from './misspellings.ts'

/** Maximum number of words of a query with variants. */
const maxWords = 8
/** Minimum length of a single word that is split: most words of four letters are two others by chance. */
const minAlone = 5
/** Minimum length of each part of a split word. */
const minPart = 2
/** Minimum length of a word that may be split into a known and a misspelled part, and of the known part. */
const minHalfKnown = 7
const minKnownPart = 3
/** Maximum number of such splits to look up, and to use. */
const maxLookups = 10
const maxHalfKnown = 3
/** Steps of the four lookups at each letter of a word that is split. */
const stepsPerCut = 12

/**
 * Returns variants of a query with spaces in other places (compare Lucene's WordBreakSpellChecker): two neighbouring
 * words joined, a space moved by one letter, or a word split in two. The resulting words occur in names or are
 * misspellings of words that do.
 */
export function wordBreakVariants(lexicon: Lexicon, words: readonly string[], budget: Budget): string[][] {
  if (words.length > maxWords) return []
  const found: string[][] = []
  const replaced = (at: number, count: number, by: readonly string[]) => [
    ...words.slice(0, at),
    ...by,
    ...words.slice(at + count),
  ]
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const next = words[i + 1]
    if (next !== undefined) {
      if (nameCount(lexicon, word + next) > 0) found.push(replaced(i, 2, [word + next]))
      // The space was swapped with one of its neighbours.
      for (const cut of [word.length - 1, word.length + 1]) {
        const pair = splitAt(word + next, cut, cut)
        if (pair.every(part => nameCount(lexicon, part) > 0)) found.push(replaced(i, 2, pair))
      }
    }
    if (words.length > 1 || word.length >= minAlone)
      found.push(...splits(lexicon, word, budget).map(pair => replaced(i, 1, pair)))
  }
  return found
}

/**
 * Splits a word in two: returns the split whose rarer part is most common in names; otherwise splits with one known
 * part and one part that may be misspelled.
 */
function splits(lexicon: Lexicon, word: string, budget: Budget): (readonly string[])[] {
  budget.spend(stepsPerCut * word.length)
  const counts = partCounts(lexicon, word)
  let best: readonly string[] | undefined
  let mostCommon = 0
  const halfKnown: { readonly pair: readonly string[]; readonly known: number }[] = []
  for (let cut = minPart; cut <= word.length - minPart; cut++) {
    // The letter after the cut may have been typed in place of the space.
    for (const from of [cut, cut + 1]) {
      const pair = splitAt(word, cut, from)
      const [left, right] = [counts.before[cut]!, counts.after[from]!]
      // A split without a deleted letter outranks any split with one.
      const common = Math.min(left, right) * (from === cut ? lexicon.count : 1)
      if (common > mostCommon) {
        mostCommon = common
        best = pair
      }
      const known = Math.max(left > 0 ? cut : 0, right > 0 ? word.length - from : 0)
      if (known >= minKnownPart) halfKnown.push({ pair, known })
    }
  }
  if (best !== undefined) return [best]
  if (word.length < minHalfKnown || lexicon.terms.find(word) >= 0) return []
  // A long known part is less likely to be a coincidence.
  return halfKnown
    .sort((a, b) => b.known - a.known)
    .slice(0, maxLookups)
    .flatMap(({ pair }) => (pair.every(part => isKnownOrSimilar(lexicon, part, budget)) ? [pair] : []))
    .slice(0, maxHalfKnown)
}

/** Returns, for each position in a word, the numbers of documents with the part before and after it in a name. */
function partCounts(lexicon: Lexicon, word: string): { readonly before: Uint32Array; readonly after: Uint32Array } {
  const [before, after] = [new Uint32Array(word.length), new Uint32Array(word.length)]
  for (let at = minPart; at < word.length; at++) {
    if (at <= word.length - minPart) before[at] = nameCount(lexicon, word.slice(0, at))
    after[at] = nameCount(lexicon, word.slice(at))
  }
  return { before, after }
}

/** Returns the number of documents with the word in a name. */
const nameCount = ({ terms, arrays: { nameStart } }: Lexicon, word: string): number => {
  const term = terms.find(word)
  return term < 0 ? 0 : nameStart[term + 1]! - nameStart[term]!
}

/** Returns true if names contain the word or a word that it may be a misspelling of. */
const isKnownOrSimilar = (lexicon: Lexicon, word: string, budget: Budget): boolean =>
  nameCount(lexicon, word) > 0 ||
  similarTerms(lexicon.terms, lexicon.arrays, word, promisedEditsFor(word), budget).size > 0

/** Splits a word into the parts before `to` and from `from`. */
const splitAt = (word: string, to: number, from: number): string[] => [word.slice(0, to), word.slice(from)]
