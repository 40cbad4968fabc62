import type { Locale } from '../../domain/locale.ts'
import type { LocalText } from '../../domain/location.ts'

/** Formats a locale with an underscore, as v1 does: `es_MX`. */
export const formatLocale = (tag: Locale): string => tag.replaceAll('-', '_')

/** Presents a name, title or text with the flag `primary`, which marks the original. */
export const localizedText = (text: LocalText) => ({
  language: text.language === undefined ? undefined : formatLocale(text.language),
  value: text.value,
  primary: text.primary === true,
})

/** Presents a description. */
export const plainText = (text: LocalText) => ({
  language: text.language === undefined ? undefined : formatLocale(text.language),
  value: text.value,
})
