import type { Segment } from '../index/segment.ts'
import { promisedEditsFor, similarTerms } from '../index/spelling.ts'

/** Words of a query up to which spaces are looked into. */
const mostWords = 8
/** Letters that each half of a split word has at least. */
const leastHalf = 2
/** Letters of a word from which it may be a known and a misspelt one, and of the known one. */
const leastHalfKnown = 7
const leastKnown = 3
/** Such pairs that are looked up, and that are tried. */
const mostLookedUp = 10
const mostHalfKnown = 3

/**
 * Other ways to put the spaces: each pair of neighbours as one word, or with the space a letter further; each word as
 * two. Only words that the index knows, or almost.
 */
export function respellings(segment: Segment, words: readonly string[]): string[][] {
  if (words.length > mostWords) return []
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
      if (nameCount(segment, word + next) > 0) found.push(replaced(i, 2, [word + next]))
      // A space that changed places with the letter beside it.
      for (const cut of [word.length - 1, word.length + 1]) {
        const pair = halves(word + next, cut, cut)
        if (pair.every(half => nameCount(segment, half) > 0)) found.push(replaced(i, 2, pair))
      }
    }
    found.push(...splits(segment, word).map(pair => replaced(i, 1, pair)))
  }
  return found
}

/** A word as two: the two that are most common together, else one that is known and one that may be misspelt. */
function splits(segment: Segment, word: string): (readonly string[])[] {
  let best: readonly string[] | undefined
  let mostCommon = 0
  const total = segment.count
  const halfKnown: { readonly pair: readonly string[]; readonly known: number }[] = []
  for (let cut = leastHalf; cut <= word.length - leastHalf; cut++) {
    // The letter at the cut may stand where the space was.
    for (const from of [cut, cut + 1]) {
      const pair = halves(word, cut, from)
      const [left, right] = pair.map(half => nameCount(segment, half)) as [number, number]
      // A letter is only left out where no two words are written together.
      const common = Math.min(left, right) * (from === cut ? total : 1)
      if (common > mostCommon) {
        mostCommon = common
        best = pair
      }
      const known = Math.max(left > 0 ? cut : 0, right > 0 ? word.length - from : 0)
      if (known >= leastKnown) halfKnown.push({ pair, known })
    }
  }
  if (best !== undefined) return [best]
  if (word.length < leastHalfKnown || segment.terms.find(word) >= 0) return []
  // The longer the known half, the less it is there by chance.
  return halfKnown
    .sort((a, b) => b.known - a.known)
    .slice(0, mostLookedUp)
    .flatMap(({ pair }) => (pair.every(half => isLike(segment, half)) ? [pair] : []))
    .slice(0, mostHalfKnown)
}

const nameCount = ({ terms, arrays: { nameStart } }: Segment, word: string): number => {
  const term = terms.find(word)
  return term < 0 ? 0 : nameStart[term + 1]! - nameStart[term]!
}

/** Whether names know the word or one that it may be a misspelling of. */
const isLike = (segment: Segment, word: string): boolean =>
  nameCount(segment, word) > 0 ||
  similarTerms(segment.terms, segment.arrays, word, promisedEditsFor(word.length)).size > 0

const halves = (word: string, to: number, from: number): string[] => [word.slice(0, to), word.slice(from)]
