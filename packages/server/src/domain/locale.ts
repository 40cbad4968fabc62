import type { LocalText } from './location.ts'

/** A canonical BCP 47 tag with hyphens, such as `es-MX`. */
export type Locale = string

/** Parses `en`, `en-GB` or `es_MX` in any case to a canonical tag; undefined for other text. */
export function parseLocale(text: string): Locale | undefined {
  if (!/^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*$/.test(text)) return undefined
  try {
    return canonicalOf(text.replaceAll('_', '-'))
  } catch {
    return undefined
  }
}

/**
 * Pattern of a requested locale: a BCP 47 tag with `-` or `_`, whose language has two or three letters. The groups are
 * the language with script and region, and the variants; extensions and private subtags follow.
 */
export const localePattern =
  '([A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|[0-9]{3}))?)' +
  '((?:[-_](?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*)' +
  '(?:[-_][0-9A-WY-Za-wy-z](?:[-_][A-Za-z0-9]{2,8})+)*(?:[-_][Xx](?:[-_][A-Za-z0-9]{1,8})+)?'

const requestedLocale = new RegExp(`^${localePattern}$`)

/**
 * Parses a locale of a request to a canonical tag; undefined for text that `localePattern` does not match.
 * Repeated variants count once, and extensions are ignored: they do not select texts.
 */
export function parseRequestedLocale(text: string): Locale | undefined {
  const [, language, variants = ''] = requestedLocale.exec(text) ?? []
  if (language === undefined) return undefined
  const subtags = new Set(variants.toLowerCase().split(/[-_]/).slice(1))
  return canonicalOf([language.replaceAll('_', '-'), ...subtags].join('-'))
}

/** `Intl.getCanonicalLocales` keeps some outdated languages in lower case (`bh`), and replaces them otherwise (`BH`). */
const canonicalOf = (tag: string): Locale => new Intl.Locale(tag).toString()

/** Returns a tag followed by its parents: `zh-Hant-TW` gives itself, `zh-Hant` and `zh`. */
export function localeFallbackChain(locale: Locale): Locale[] {
  const parts = locale.split('-')
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'))
}

/**
 * Returns the first of a locale and its parents that includes one of `languages`, itself or as a variant: `en-GB` gives
 * `en` if only `en` or `en-US` is among them. Returns the locale itself if none of its parents does.
 */
export function widenLocale(locale: Locale, languages: readonly Locale[]): Locale {
  const includes = (wider: Locale) => languages.some(one => one === wider || one.startsWith(`${wider}-`))
  return localeFallbackChain(locale).find(includes) ?? locale
}

/**
 * Returns the best text for a locale: in the locale itself, in a parent, or in any regional variant of the language.
 */
function findBestText(texts: readonly LocalText[], locale: Locale): LocalText | undefined {
  for (const candidate of localeFallbackChain(locale)) {
    const found = texts.find(text => text.language === candidate)
    if (found) return found
  }
  const language = locale.split('-')[0]!
  return texts.find(text => text.language?.split('-')[0] === language)
}

/**
 * Selects texts: without locales all of them, primary first; otherwise one for each requested locale in the
 * requested order, then the primary one. No text is repeated. If nothing matches and there is no primary text, the
 * first one is used.
 */
export function chooseTexts(texts: readonly LocalText[], locales: readonly Locale[]): readonly LocalText[] {
  if (locales.length === 0) return texts
  const chosen = new Set<LocalText>()
  for (const locale of locales) {
    const found = findBestText(texts, locale)
    if (found) chosen.add(found)
  }
  const primary = texts.find(text => text.primary)
  if (primary) chosen.add(primary)
  if (chosen.size === 0 && texts[0]) chosen.add(texts[0])
  return [...chosen]
}
