import type { LocalText } from '../../domain/location.ts'

/**
 * Presents a name, title or text with the flag `primary`, which marks the original. v2 writes locales in BCP 47 form:
 * `es-MX`.
 */
export const localizedText = (text: LocalText) => ({
  language: text.language,
  value: text.value,
  primary: text.primary === true,
})

/** Presents a description. */
export const plainText = (text: LocalText) => ({ language: text.language, value: text.value })
