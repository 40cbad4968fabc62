import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { type BoundedField, textBounds, textProblem } from '../../domain/text-bounds.ts'

/** Texts by the name of their field; a missing text is not checked. */
export type EnteredTexts = { readonly [F in BoundedField]?: string | null | undefined }

/** Returns the fault of texts that are blank or outside their bounds; undefined if all are valid. */
export function checkTexts(texts: EnteredTexts): AdminFault | undefined {
  const blank = fieldsOf(texts).filter(field => texts[field]?.trim() === '')
  return blank.length > 0 ? adminFault('text_empty', blank, {}) : checkOptionalTexts(texts)
}

/** Returns the fault of texts outside their bounds, which may be blank; undefined if all are valid. */
export function checkOptionalTexts(texts: EnteredTexts): AdminFault | undefined {
  for (const field of fieldsOf(texts)) {
    const problem = textProblem(texts[field] ?? '', textBounds[field])
    if (problem !== undefined) return adminFault('text_invalid', [field], { problem, max: textBounds[field].max })
  }
  return undefined
}

/** Returns the fault of the name of a source that is blank or outside its bounds; `field` has it. */
export function checkSource(name: string, field: string): AdminFault | undefined {
  if (name.trim() === '') return adminFault('text_empty', [field], {})
  const problem = textProblem(name, textBounds.source)
  return problem && adminFault('source_invalid', [field], { problem, max: textBounds.source.max })
}

/** Returns the fault of the reason of a change that is blank or outside its bounds. */
export const checkReason = (reason: string): AdminFault | undefined =>
  reason.trim() === '' ? adminFault('reason_required', ['reason'], {}) : checkTexts({ reason })

const fieldsOf = (texts: EnteredTexts): BoundedField[] => Object.keys(texts) as BoundedField[]
