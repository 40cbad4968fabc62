import type { Locale } from '../../domain/locale.ts'

const countryNames = new Map<Locale, Intl.DisplayNames>()
const maxLocales = 100

/** Returns the name of a country in a language; of a code without a name, the code. */
export function nameCountry(code: string, locale: Locale): string {
  let names = countryNames.get(locale)
  if (!names) {
    if (countryNames.size === maxLocales) countryNames.clear()
    names = new Intl.DisplayNames([locale, 'en'], { type: 'region' })
    countryNames.set(locale, names)
  }
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
