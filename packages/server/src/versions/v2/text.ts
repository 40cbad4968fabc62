import type { LocalText } from '../../domain/location.ts'

/** A name, title or text, with its mark as the original. v2 writes locales as BCP 47 does: `es-MX`. */
export const markedText = (text: LocalText) => ({
  language: text.language,
  value: text.value,
  primary: text.primary === true,
})

/** A description. */
export const plainText = (text: LocalText) => ({ language: text.language, value: text.value })
