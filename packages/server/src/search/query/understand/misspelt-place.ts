import type { Budget } from '../../index/budget.ts'
import type { Lexicon } from '../../index/lexicon.ts'
import { similarTerms } from '../../index/spelling.ts'
import type { PlaceLookup } from './place-names.ts'
import type { ReadPlace } from './read-place.ts'

/** Minimum length of a misspelled word, and of one that has the same letters: Aspen is neither Assen nor Aspe. */
const minLength = { other: 6, sameLetters: 5 } as const
/** Minimum number of names with a word that is known, and therefore not a misspelling. */
const knownNames = 4
/** Minimum popularity of a misspelled place (5,000 people), and the popularity of a region or area, which has none. */
const popularity = { min: 0.31, ofRegion: 0.6 } as const

const popularityOf = ({ id, country, popularity: own }: ReadPlace): number =>
  id !== undefined || country !== undefined ? own : popularity.ofRegion

const hasSameLetters = (a: string, b: string): boolean => [...a].sort().join('') === [...b].sort().join('')

/** Returns true if a term may be meant by a word that is one edit away. */
const mayMean = (word: string, term: string): boolean => word.length >= minLength.other || hasSameLetters(word, term)

/**
 * Returns a look-up that finds the most popular place whose name has one edit in one word ("Pragh"). It makes at most
 * `left` look-ups in all.
 */
export function misspeltLookup(
  { terms, arrays }: Lexicon,
  lookUp: PlaceLookup,
  budget: Budget,
  left: number,
): PlaceLookup {
  let remaining = left
  const isKnown = (word: string) => {
    const term = terms.find(word)
    return term >= 0 && arrays.nameStart[term + 1]! - arrays.nameStart[term]! >= knownNames
  }
  const correctionsOf = (word: string) => {
    if (word.length < minLength.sameLetters || isKnown(word)) return []
    const similar = similarTerms(terms, arrays, word, 1, budget)
    return [...similar.keys()].map(term => terms.text(term)).filter(text => mayMean(word, text))
  }
  return (words, within) => {
    let best: ReadPlace | undefined
    for (const corrected of words.flatMap((word, i) => correctionsOf(word).map(text => words.with(i, text)))) {
      if (remaining-- <= 0) return best
      const place = lookUp(corrected, within)
      const least = best === undefined ? popularity.min : popularityOf(best)
      if (place !== undefined && popularityOf(place) >= least) best = place
    }
    return best
  }
}
