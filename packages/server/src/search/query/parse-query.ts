import { beginsCountryName, countryNamed } from '../../gazetteer/countries.ts'
import { beginsRegionName, longestRegionName, regionsNamed } from '../../gazetteer/regions.ts'
import { isBigram, maxTokens, tokens } from '../../kit/tokens.ts'
import { equalWords } from '../text/abbreviations.ts'
import { beginsCategoryPhrase, categoryPhrases, isConnective, longestCategoryPhrase } from '../text/category-words.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import { separatePhrases } from '../text/separate.ts'
import { joinPossessives, pairSpellings } from '../text/spellings.ts'
import { codesIn, withCodes } from './place-codes.ts'
import { shortQuery } from './weights.ts'
import type { Word } from './word.ts'

/** Query text after parsing. */
export interface ParsedQuery {
  readonly words: readonly Word[]
  /** 0 to 1; short queries are mostly the beginning of a name and are ambiguous. */
  readonly shortness: number
  /** Three or four capitals or digits, like an IATA or ICAO code. */
  readonly looksLikeCode: boolean
  /** A word has the "s" of a possessive, which is joined with it. */
  readonly hasPossessive: boolean
  /** Words with a category word separated from text without spaces; undefined if there is no such word. */
  readonly separated?: readonly Word[]
  /** Indexes of the words that follow a comma. */
  readonly commas: ReadonlySet<number>
}

/** Maximum number of tokens in the name of a country. */
const longestCountry = 5

/**
 * Length of a bigram in letters for the shortness of a query: a Chinese character carries as much as about three
 * letters.
 */
const lettersPerBigram = 3

/** Parses the text of a query into words with categories, countries and areas (rulings: Operations). */
export function parseQuery(text: string): ParsedQuery {
  const typed = joinPossessives(text)
  const pieces = typed.split(comma).map(tokens)
  const isKept = distinctEnough(pieces.flat())
  const { found, commas } = joined(pieces, isKept)
  const separated = separatePhrases(text)
  const letters = found.reduce((sum, word) => sum + word.length * (isBigram(word) ? lettersPerBigram : 1), 0)
  return {
    words: withCodes(wordsOf(found, !/\s$/.test(text), pairSpellings(typed)), codesIn(text)),
    shortness: Math.min(1, Math.max(0, (shortQuery.from - letters) / shortQuery.range)),
    ...(separated !== undefined && { separated: wordsOf(tokens(separated)) }),
    hasPossessive: typed !== text,
    looksLikeCode: /^\s*[A-Z][A-Z0-9]{2,3}\s*$/.test(text),
    commas,
  }
}

const comma = /[,，、;]/u

/** Joins the tokens of the pieces between commas, without repetitions, and returns the indexes after commas. */
function joined(pieces: readonly (readonly string[])[], isKept: readonly boolean[]) {
  const found: string[] = []
  const commas = new Set<number>()
  let at = 0
  for (const piece of pieces) {
    if (found.length > 0) commas.add(found.length)
    for (const token of piece) if (isKept[at++] && found.length < maxTokens) found.push(token)
  }
  commas.delete(found.length)
  return { found, commas }
}

/**
 * Maximum number of occurrences of a word in a query: names such as "Bora Bora" and "Duran Duran" repeat a word once.
 */
const maxOccurrences = 2

/** Returns for each word whether it is kept: later occurrences of repeated words are not. */
function distinctEnough(found: readonly string[]): boolean[] {
  const seen = new Map<string, number>()
  return found.map(word => {
    const before = seen.get(word) ?? 0
    seen.set(word, before + 1)
    return before < maxOccurrences
  })
}

const noSpellings: ReadonlyMap<string, string> = new Map()

/** Creates the words of a query from its tokens; `unfinished` applies to the last one, `spellings` are other ones. */
export function wordsOf(found: readonly string[], unfinished = true, spellings = noSpellings): Word[] {
  const categories = spans(found, longestCategoryPhrase, beginsCategoryPhrase, phrase => categoryPhrases.get(phrase))
  const countries = spans(found, longestCountry, beginsCountryName, countryNamed)
  const regions = spans(found, longestRegionName, beginsRegionName, regionsNamedBy)
  const hasCategory = categories.some(ids => ids !== undefined)
  const connective = found.map((token, i) => hasCategory && categories[i] === undefined && isConnective(token))
  // "restaurants in Athens": words after the first connective that directly follows a category.
  const where = found.findIndex(
    (_, i) => connective[i] && i > 0 && categories[i - 1] !== undefined && i < found.length - 1,
  )
  return found.map((token, i) => ({
    text: token,
    same: sameAs(token, found.length === 1 && unfinished, spellings),
    unfinished: unfinished && i === found.length - 1,
    categories: (categories[i] ?? []).map(reservedTerm.category),
    ...(countries[i] !== undefined && { country: countries[i] }),
    ...(regions[i] !== undefined && { regions: regions[i] }),
    optional: connective[i]!,
    where: where >= 0 && i > where && !connective[i],
  }))
}

/** Length up to which a query of one unfinished word is the beginning of a name, not an abbreviation. */
const shortBeginning = 3

/** Returns the words that mean the same as a token. */
function sameAs(token: string, isBeginning: boolean, spellings: ReadonlyMap<string, string>): readonly string[] {
  const equal = isBeginning && token.length <= shortBeginning ? [] : equalWords(token)
  const spelling = spellings.get(token)
  return spelling === undefined ? equal : [...equal, spelling]
}

/** Returns the regions that a phrase names, or undefined. */
function regionsNamedBy(phrase: string): readonly string[] | undefined {
  const found = regionsNamed(phrase)
  return found.length > 0 ? found : undefined
}

/**
 * Returns for each token the meaning of the known phrase that contains it, or undefined. Phrases are matched greedily
 * from the left, longest first.
 */
export function spans<T>(
  found: readonly string[],
  longest: number,
  beginsPhrase: (token: string) => boolean,
  meaningOf: (phrase: string) => T | undefined,
): (T | undefined)[] {
  const meanings = new Array<T | undefined>(found.length).fill(undefined)
  for (let from = 0; from < found.length; ) {
    let advance = 1
    const most = beginsPhrase(found[from]!) ? Math.min(longest, found.length - from) : 0
    for (let length = most; length > 0; length--) {
      const meaning = meaningOf(found.slice(from, from + length).join(' '))
      if (meaning === undefined) continue
      meanings.fill(meaning, from, from + length)
      advance = length
      break
    }
    from += advance
  }
  return meanings
}
