import { fewLetters } from '../index/weights.ts'
import { categoryPhrases, isConnective, longestCategoryPhrase, separateCategory } from '../text/category-words.ts'
import { countryNamed } from '../text/country-names.ts'
import { reservedTerm } from '../text/terms.ts'
import { isBigram, tokens } from '../text/tokens.ts'

/** A word of a query and all that it may mean beside a word in a name. */
export interface Word {
  readonly text: string
  /** The last word may be unfinished. */
  readonly unfinished: boolean
  /** Reserved terms of the categories that it (or the phrase that it belongs to) names. */
  readonly categories: readonly string[]
  /** The country that it, or its phrase, names. */
  readonly country?: string
  /** "in", "en", "near" in a query that also names a kind of place: need not match. */
  readonly optional: boolean
  /** Stands after "restaurants in": tells where. */
  readonly where: boolean
}

export interface ParsedQuery {
  readonly words: readonly Word[]
  /** 0 to 1: a few letters, which are mostly the beginning of a name and say little else. */
  readonly shortness: number
  /** Three or four capitals, as IATA and ICAO codes are written. */
  readonly looksLikeCode: boolean
  /** The words with a kind of place set apart that was written without spaces; left out where there is none. */
  readonly apart?: readonly Word[]
}

const longestCountry = 5

/** Takes a query apart (rulings: Operations): words, kinds of places, countries, and what says where. */
export function analyse(text: string): ParsedQuery {
  const found = withoutRepetition(tokens(text))
  const apart = separateCategory(text)
  // A sign of Chinese says about as much as three letters.
  const letters = found.reduce((sum, word) => sum + word.length * (isBigram(word) ? 3 : 1), 0)
  return {
    words: wordsOf(found, !/\s$/.test(text)),
    shortness: Math.min(1, Math.max(0, (fewLetters.from - letters) / fewLetters.range)),
    ...(apart !== undefined && { apart: wordsOf(tokens(apart)) }),
    looksLikeCode: /^\s*[A-Z][A-Z0-9]{2,3}\s*$/.test(text),
  }
}

/** Times that a word of a query counts: names such as "Bora Bora" and "Duran Duran" repeat theirs once. */
const mostRepeated = 2

function withoutRepetition(found: readonly string[]): string[] {
  const times = new Map<string, number>()
  return found.filter(word => {
    const before = times.get(word) ?? 0
    times.set(word, before + 1)
    return before < mostRepeated
  })
}

/** The words of a query whose tokens are known. The last one is unfinished unless a space was typed behind it. */
export function wordsOf(found: readonly string[], unfinished = true): Word[] {
  const kinds = spans(found, longestCategoryPhrase, phrase => categoryPhrases.get(phrase))
  const countries = spans(found, longestCountry, countryNamed)
  const namesKind = kinds.some(kind => kind !== undefined)
  const connective = found.map((token, i) => namesKind && kinds[i] === undefined && isConnective(token))
  // "restaurants in Athens": what follows the first connective that stands directly behind a kind of place.
  const where = found.findIndex((_, i) => connective[i] && i > 0 && kinds[i - 1] !== undefined && i < found.length - 1)
  return found.map((token, i) => ({
    text: token,
    unfinished: unfinished && i === found.length - 1,
    categories: (kinds[i] ?? []).map(reservedTerm.category),
    ...(countries[i] !== undefined && { country: countries[i] }),
    optional: connective[i]!,
    where: where >= 0 && i > where && !connective[i],
  }))
}

/** For each token the meaning of the longest known phrase that covers it, from the left. */
function spans<T>(
  found: readonly string[],
  longest: number,
  meaning: (phrase: string) => T | undefined,
): (T | undefined)[] {
  const meant = new Array<T | undefined>(found.length).fill(undefined)
  for (let from = 0; from < found.length; ) {
    let taken = 1
    for (let length = Math.min(longest, found.length - from); length > 0; length--) {
      const means = meaning(found.slice(from, from + length).join(' '))
      if (means === undefined) continue
      meant.fill(means, from, from + length)
      taken = length
      break
    }
    from += taken
  }
  return meant
}
