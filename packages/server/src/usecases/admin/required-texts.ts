import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'

/** Returns the fault that names every given text that is blank; undefined when none of them is. */
export function blankTexts(texts: Readonly<Record<string, string | null | undefined>>): AdminFault | undefined {
  const blank = Object.keys(texts).filter(field => texts[field]?.trim() === '')
  return blank.length > 0 ? adminFault('text_empty', blank, {}) : undefined
}
