import type { Locale } from '../../domain/locale.ts'
import type { LocalText } from '../../domain/location.ts'

/** Formats a locale with an underscore, as v1 does: `es_MX`. */
export const formatLocale = (tag: Locale | undefined): string | null => tag?.replaceAll('-', '_') ?? null

/** Presents a name, title or text with the flag `primary`, which marks the original. */
export const localizedText = (text: LocalText) => ({
  language: formatLocale(text.language),
  value: text.value,
  primary: text.primary === true,
})

/** Presents a description. */
export const plainText = (text: LocalText) => ({ language: formatLocale(text.language), value: text.value })
