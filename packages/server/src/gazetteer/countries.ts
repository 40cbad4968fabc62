import { tokens } from '../kit/tokens.ts'
import { countryAliases } from './country-aliases.ts'
import { countryCodes } from './country-codes.ts'

const languages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ru', 'zh', 'ja', 'ko', 'ar', 'el']

let names: ReadonlyMap<string, string> | undefined
let firstTokens: ReadonlySet<string> | undefined

/**
 * Returns the ISO 3166-1 alpha-2 code of the country that a phrase names in one of sixteen languages or in its own, or
 * undefined. A phrase is its tokens joined by a space. Names come from Unicode CLDR through `Intl.DisplayNames`; the
 * first call takes about 100 ms to collect them.
 */
export const countryNamed = (phrase: string): string | undefined => countryNames().get(phrase)

/** Returns the codes of countries by phrase. */
export const countryNames = (): ReadonlyMap<string, string> => {
  names ??= countryPhrases()
  return names
}

/** Uses names that another thread has collected. */
export const useCountryNames = (collected: ReadonlyMap<string, string>): void => {
  names ??= collected
}

/** Returns true if a phrase of `countryNamed` begins with a token. */
export const beginsCountryName = (token: string): boolean => {
  firstTokens ??= new Set([...countryNames().keys()].map(phrase => phrase.split(' ', 1)[0]!))
  return firstTokens.has(token)
}

/**
 * Collects the names of all countries in `languages`, long and short ones, then in their own languages; the first name
 * that uses a phrase decides its country. `countryCodes` has no withdrawn code: CLDR gives them the names of their
 * successors.
 */
function countryPhrases(): Map<string, string> {
  const found = new Map<string, string>()
  const add = (name: string | undefined, code: string) => {
    for (const phrase of phrasesOf(name ?? '')) if (!found.has(phrase)) found.set(phrase, code)
  }
  const addAll = (language: string, codes: readonly string[]) => {
    for (const style of ['long', 'short'] as const) {
      const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style })
      for (const code of codes) add(display.of(code), code)
    }
  }
  for (const language of languages) addAll(language, countryCodes)
  for (const [language, codes] of Map.groupBy(countryCodes, ownLanguage)) addAll(language, codes)
  for (const [code, phrases] of Object.entries(countryAliases)) for (const phrase of phrases) found.set(phrase, code)
  return found
}

/** Returns the language that most people in a country write, by CLDR's likely subtags. */
const ownLanguage = (code: string): string => new Intl.Locale(`und-${code}`).maximize().language

/** Abbreviations in names of CLDR, with the words that people also write. */
const longForms: Readonly<Record<string, string>> = { st: 'saint' }

/**
 * Returns a name as phrases: as CLDR has it, with "and" for "&", and with abbreviations in full. Codes of two letters
 * such as the short name "US" are also words and are no phrases.
 */
function phrasesOf(name: string): string[] {
  const spellings = new Set([name, name.replaceAll('&', 'and')])
  const words = [...spellings].map(tokens)
  const all = [...words, ...words.map(list => list.map(word => longForms[word] ?? word))]
  return all.map(list => list.join(' ')).filter(phrase => !/^[a-z]{0,2}$/.test(phrase))
}
