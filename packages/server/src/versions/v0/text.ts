import type { Locale } from '../../domain/locale.ts'
import type { LocalText } from '../../domain/location.ts'

/** Locales with an underscore, as v1 kept them. */
export const locale = (tag: Locale | undefined): string | null => tag?.replaceAll('-', '_') ?? null

/** A name, title or text, with its mark as the original. */
export const markedText = (text: LocalText) => ({
  language: locale(text.language),
  value: text.value,
  primary: text.primary === true,
})

/** A description. */
export const plainText = (text: LocalText) => ({ language: locale(text.language), value: text.value })
