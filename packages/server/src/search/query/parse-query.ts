import { beginsCountryName, countryNamed } from '../../gazetteer/countries.ts'
import { beginsRegionName, longestRegionName, regionsNamed } from '../../gazetteer/regions.ts'
import { mapList } from '../../kit/map-list.ts'
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
  readonly separated: readonly Word[] | undefined
  /** Indexes of the words that follow a comma. */
  readonly commas: ReadonlySet<number>
}

/** Maximum number of tokens in the name of a country: 中央アフリカ共和国 has eight. */
const longestCountry = 8

/**
 * Length of a bigram in letters for the shortness of a query: a Chinese character carries as much as about three
 * letters.
 */
const lettersPerBigram = 3

/** Parses the text of a query into words with categories, countries and areas (rulings: Operations). */
export function parseQuery(text: string): ParsedQuery {
  const typed = joinPossessives(text)
  const { found, commas } = keptTokens(typed)
  const separated = separatePhrases(text)
  let letters = 0
  for (const word of found) letters += word.length * (isBigram(word) ? lettersPerBigram : 1)
  return {
    words: withCodes(wordsOf(found, !/\s$/.test(text), pairSpellings(typed)), codesIn(text)),
    shortness: Math.min(1, Math.max(0, (shortQuery.from - letters) / shortQuery.range)),
    looksLikeCode: /^\s*[A-Z][A-Z0-9]{2,3}\s*$/.test(text),
    hasPossessive: typed !== text,
    separated: separated === undefined ? undefined : wordsOf(tokens(separated)),
    commas,
  }
}

/** Commas, and spaces in scripts without spaces between words, where they separate names as well: "メサ アメリカ". */
const comma =
  /[,，、;]|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])\s+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u

/** Returns the tokens of a text, without later occurrences of repeated ones, and the indexes after commas. */
function keptTokens(text: string) {
  const found: string[] = []
  const commas = new Set<number>()
  for (const piece of comma.test(text) ? text.split(comma) : [text]) {
    if (found.length > 0) commas.add(found.length)
    for (const token of tokens(piece)) if (found.length < maxTokens && !isRepeated(found, token)) found.push(token)
  }
  commas.delete(found.length)
  return { found, commas }
}

/**
 * Maximum number of occurrences of a word in a query: names such as "Bora Bora" and "Duran Duran" repeat a word once.
 */
const maxOccurrences = 2

/** Returns true if a token occurs as often as it may. */
function isRepeated(found: readonly string[], token: string): boolean {
  let count = 0
  for (const other of found) if (other === token) count++
  return count >= maxOccurrences
}

const noSpellings: ReadonlyMap<string, string> = new Map()

/** Creates the words of a query from its tokens; `unfinished` applies to the last one, `spellings` are other ones. */
export function wordsOf(found: readonly string[], unfinished = true, spellings = noSpellings): Word[] {
  const categories = spans(found, longestCategoryPhrase, beginsCategoryPhrase, phrase => categoryPhrases.get(phrase))
  const countries = spans(found, longestCountry, beginsCountryName, countryNamed)
  const regions = spans(found, longestRegionName, beginsRegionName, regionsNamedBy)
  const isOptional = (i: number) => categories.length > 0 && categories[i] === undefined && isConnective(found[i]!)
  // "restaurants in Athens": words after the first connective that directly follows a category.
  const where = categories.findIndex((_, i) => i > 0 && i < found.length - 1 && categories[i - 1] && isOptional(i))
  return mapList(found, (token, i): Word => {
    const optional = isOptional(i)
    return {
      text: token,
      same: sameAs(token, found.length === 1 && unfinished, spellings),
      isKind: false,
      isDish: false,
      unfinished: unfinished && i === found.length - 1,
      categories: termsOf(categories[i]),
      country: countries[i],
      regions: regions[i],
      optional,
      where: where >= 0 && i > where && !optional,
      required: false,
    }
  })
}

const noTerms: readonly string[] = []
const termsOf = (categories: readonly string[] | undefined): readonly string[] =>
  categories === undefined ? noTerms : mapList(categories, reservedTerm.category)

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
 * Returns for each token the meaning of the known phrase that contains it, or undefined; an empty list if the text has
 * no such phrase. Phrases are matched greedily from the left, longest first.
 */
export function spans<T>(
  found: readonly string[],
  longest: number,
  beginsPhrase: (token: string) => boolean,
  meaningOf: (phrase: string) => T | undefined,
): readonly (T | undefined)[] {
  let meanings: (T | undefined)[] | undefined
  for (let from = 0; from < found.length; ) {
    let advance = 1
    const most = beginsPhrase(found[from]!) ? Math.min(longest, found.length - from) : 0
    for (let length = most; length > 0; length--) {
      const meaning = meaningOf(length === 1 ? found[from]! : found.slice(from, from + length).join(' '))
      if (meaning === undefined) continue
      meanings ??= mapList(found, () => undefined)
      meanings.fill(meaning, from, from + length)
      advance = length
      break
    }
    from += advance
  }
  return meanings ?? []
}
