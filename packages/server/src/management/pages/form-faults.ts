import type { AdminFault } from '../../domain/admin-fault.ts'
import type { Field } from '../../web/parts/form.ts'
import { toFaultProblem, toSnake } from '../fault-problems.ts'
import type { FormValues } from './page-route.ts'

/** A form after a refused attempt. */
export interface RefusedForm {
  readonly status: number
  readonly fields: readonly Field[]
  /** Sentence about the form as a whole. */
  readonly error: string | undefined
}

/**
 * Returns the fields of a form with the values that were sent, and the fault at those that are wrong. `present` has the
 * values that are stored: after a lost update, each field that differs shows both, and the next attempt is made from
 * the present revision.
 */
export function refuseForm(present: readonly Field[], form: FormValues, fault: AdminFault): RefusedForm {
  const { status, detail } = toFaultProblem(fault)
  if (fault.fault === 'changed_meanwhile') return { status, fields: compare(present, form), error: lostUpdate }
  const text = inLabels(detail, present)
  const fields = fillForm(present, form).map(field =>
    fault.fields.some(name => toSnake(name) === field.name) ? { ...field, error: text } : field,
  )
  const isMarked = fields.some(({ error }) => error !== undefined)
  return { status: status === 400 ? 422 : status, fields, error: isMarked ? undefined : text }
}

/** Returns the sentence of a fault that no form shows. */
export const faultText = (fault: AdminFault): string =>
  fault.fault === 'changed_meanwhile'
    ? 'Someone else changed this after you opened the page, so nothing was saved. Go back, reload the page, and try again.'
    : toFaultProblem(fault).detail

/** Returns the sentence about the reason of a change; undefined if the fault concerns something else. */
export function reasonError(fault: AdminFault): string | undefined {
  if (!fault.fields.includes('reason')) return undefined
  if (fault.fault === 'reason_required') return 'Say why, so that colleagues understand it.'
  return faultText(fault).replace(/^reason\b/, 'Reason')
}

const lostUpdate =
  'Someone else changed this after you opened the form, so nothing was saved. Compare the marked values, then send the form again.'

/** Returns fields with the values that were sent. */
export const fillForm = (fields: readonly Field[], form: FormValues): Field[] =>
  fields.map(field => ({ ...field, value: field.type === 'checkboxes' ? form.all(field.name) : form.text(field.name) }))

/** The hidden revision stays the present one; other fields show what is stored where it differs. */
const compare = (present: readonly Field[], form: FormValues): Field[] =>
  fillForm(present, form).map((field, i) => {
    const stored = present[i]!
    if (field.name === 'revision') return stored
    const [sent, now] = [field, stored].map(({ value = '' }) => [value].flat().join(', ')) as [string, string]
    return sent === now ? field : { ...field, error: `The saved value is now ${now === '' ? 'empty' : `“${now}”`}.` }
  })

/** Returns the sentence of a fault with the labels of fields in place of their names in the API. */
const inLabels = (detail: string, fields: readonly Field[]): string =>
  fields
    .filter(({ type }) => type !== 'hidden')
    .toSorted((a, b) => b.name.length - a.name.length)
    .reduce(
      (text, { name, label }) =>
        text.replaceAll(new RegExp(`(?<![\\w.-])${RegExp.escape(name)}(?![\\w-]|\\.\\w)`, 'g'), label),
      detail,
    )
    .replaceAll(', not NaN', '')
