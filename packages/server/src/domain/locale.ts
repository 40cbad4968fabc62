import type { LocalText } from './location.ts'

/** A canonical BCP 47 tag, dashed: `es-MX`. */
export type Locale = string

/** `en`, `en-GB`, `es_MX`, any case -> canonical tag; undefined for nonsense. */
export function parseLocale(text: string): Locale | undefined {
  if (!/^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*$/.test(text)) return undefined
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

/** `zh-Hant-TW` -> itself, `zh-Hant`, `zh`. */
export function localeAndParents(locale: Locale): Locale[] {
  const parts = locale.split('-')
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'))
}

/** The best text for one asked locale: itself, a parent, then any regional variant of the bare language. */
function match(texts: readonly LocalText[], locale: Locale): LocalText | undefined {
  for (const candidate of localeAndParents(locale)) {
    const found = texts.find(text => text.language === candidate)
    if (found) return found
  }
  const language = locale.split('-')[0]!
  return texts.find(text => text.language?.split('-')[0] === language)
}

/**
 * with no locales all texts, primary first; otherwise one text for each asked locale in the order asked, then
 * the primary one. A text is never repeated. Where nothing matches and none is primary, the first text stands in.
 */
export function chooseTexts(texts: readonly LocalText[], locales: readonly Locale[]): readonly LocalText[] {
  if (locales.length === 0) return texts
  const chosen = new Set<LocalText>()
  for (const locale of locales) {
    const found = match(texts, locale)
    if (found) chosen.add(found)
  }
  const primary = texts.find(text => text.primary)
  if (primary) chosen.add(primary)
  if (chosen.size === 0 && texts[0]) chosen.add(texts[0])
  return [...chosen]
}
