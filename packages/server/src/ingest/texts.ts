import { parseLocale } from '../domain/locale.ts'
import type { LocalText } from '../domain/location.ts'
import type { FieldReader } from './field-reader.ts'

/** Reads a language tag and returns its canonical form. Drops invalid tags and adds a note. */
export function readLanguage(fields: FieldReader, name: string): string | undefined {
  const text = fields.text(name)
  if (text === undefined) return undefined
  const language = parseLocale(text.trim())
  if (language === undefined) fields.note('unknown_language')
  return language
}

/** Reads texts in nested form, [{language, value, primary}]. At most one text of the result is primary. */
export function readNestedTexts(fields: FieldReader, name: string): LocalText[] | undefined {
  let primary = false
  return fields.objects(name, item => {
    const language = readLanguage(item, 'language')
    const value = item.text('value')
    if (value === undefined) return undefined
    const isPrimary = !primary && item.raw('primary') === true
    primary ||= isPrimary
    return { ...(language !== undefined && { language }), value, ...(isPrimary && { primary: true as const }) }
  })
}

/** Reads texts in flat form, {language: text}. Texts whose key is not a language are returned as `others`. */
export function readFlatTexts(fields: FieldReader, name: string): { texts: LocalText[]; others: string[] } {
  const texts = new Map<string, LocalText>()
  const others: string[] = []
  for (const [key, value] of fields.textMap(name)) {
    const language = parseLocale(key)
    if (language !== undefined && !texts.has(language)) texts.set(language, { language, value })
    else others.push(value)
  }
  if (others.length > 0) fields.note('unknown_language')
  return { texts: [...texts.values()], others }
}

/** Marks the first text as primary if no text is marked. */
export function withPrimary(texts: readonly LocalText[]): LocalText[] {
  if (texts.some(text => text.primary)) return [...texts]
  return texts.map((text, i) => (i === 0 ? { ...text, primary: true } : text))
}
