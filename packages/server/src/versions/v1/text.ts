import type { Locale } from '../../domain/locale.ts'
import type { LocalText } from '../../domain/location.ts'

/** v1 writes locales with an underscore: `es_MX`. */
export const locale = (tag: Locale): string => tag.replaceAll('-', '_')

/** A name, title or text, with its mark as the original. */
export const markedText = (text: LocalText) => ({
  language: text.language === undefined ? undefined : locale(text.language),
  value: text.value,
  primary: text.primary === true,
})

/** A description. */
export const plainText = (text: LocalText) => ({
  language: text.language === undefined ? undefined : locale(text.language),
  value: text.value,
})
