import type { LocalText } from '../domain/location.ts'
import type { FieldReader } from './field-reader.ts'
import { readFlatTexts, readLanguage, readNestedTexts, withPrimary } from './texts.ts'

/** Names to serve, with the primary name first, and names that are only searchable. */
export interface Names {
  readonly names: readonly LocalText[]
  readonly alternateNames: readonly string[]
}

/**
 * Reads names in either form: `names` as [{language, value, primary}], or `name` with `names` as {language: text} and
 * `alt_name`. The language of a flat `name` is the record's `lang`, or else the language of an equal text in `names`;
 * among several, the main language of the country takes precedence.
 */
export function readPlaceNames(fields: FieldReader, country: string | undefined): Names | undefined {
  const alternates = fields.texts('alt_name') ?? []
  if (Array.isArray(fields.raw('names'))) {
    const nested = readNestedTexts(fields, 'names')
    if (nested) return { names: withPrimary(nested), alternateNames: alternates }
  }
  const value = fields.text('name')
  const { texts, others } = Array.isArray(fields.raw('names'))
    ? { texts: [], others: [] }
    : readFlatTexts(fields, 'names')
  if (value === undefined) return fields.reject('name', 'missing_name', 'is missing')
  const language = readLanguage(fields, 'lang') ?? guessLanguage(value, texts, country)
  const primary: LocalText = { ...(language !== undefined && { language }), value, primary: true }
  const alternateNames = [...new Set([...alternates, ...others])].filter(name => name !== value)
  return { names: [primary, ...texts.filter(text => text.language !== language)], alternateNames }
}

function guessLanguage(value: string, texts: readonly LocalText[], country: string | undefined): string | undefined {
  const equal = texts.filter(text => text.value === value).map(text => text.language)
  const likely = [country && likelyLanguage(country), 'en'].find(language => equal.includes(language))
  return likely ?? equal[0]
}

const languages = new Map<string, string>()

/** Returns the likely language of a country by Unicode's likely subtags (UTS #35): ES -> es. */
function likelyLanguage(country: string): string {
  const known = languages.get(country) ?? new Intl.Locale(`und-${country}`).maximize().language
  languages.set(country, known)
  return known
}
