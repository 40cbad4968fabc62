import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'

/** Returns a fault with the fields of all blank texts; undefined if no text is blank. */
export function blankTexts(texts: Readonly<Record<string, string | null | undefined>>): AdminFault | undefined {
  const blank = Object.keys(texts).filter(field => texts[field]?.trim() === '')
  return blank.length > 0 ? adminFault('text_empty', blank, {}) : undefined
}
