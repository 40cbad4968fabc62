import { tokens } from './tokens.ts'

const languages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ru', 'zh', 'ja', 'ko', 'ar', 'el']
const unitedKingdom = ['england', 'scotland', 'wales', 'great britain', 'uk']
const unitedStates = ['usa', 'united states of america', 'america']
/** Regions with a name in CLDR that are not countries: unknown, European Union, United Nations, eurozone. */
const notCountries = ['ZZ', 'EU', 'UN', 'EZ']

let names: ReadonlyMap<string, string> | undefined
let firstTokens: ReadonlySet<string> | undefined

/**
 * Returns the ISO 3166-1 alpha-2 code of the country that a phrase names in one of sixteen languages, or undefined. A
 * phrase is its tokens joined by a space. Names come from Unicode CLDR through `Intl.DisplayNames`; the first call
 * takes about 40 ms to collect them.
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

/** Collects the names of all countries in `languages`; the first language that uses a phrase decides its country. */
function countryPhrases(): Map<string, string> {
  const found = new Map<string, string>()
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const namesIn = (language: string) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const english = namesIn('en')
  const codes = letters
    .flatMap(first => letters.map(second => first + second))
    .filter(code => !notCountries.includes(code) && english.of(code) !== undefined)
  for (const language of languages) {
    const display = language === 'en' ? english : namesIn(language)
    for (const code of codes) {
      const phrase = tokens(display.of(code) ?? '').join(' ')
      if (phrase !== '' && !found.has(phrase)) found.set(phrase, code)
    }
  }
  for (const name of unitedKingdom) found.set(name, 'GB')
  for (const name of unitedStates) found.set(name, 'US')
  return found
}
