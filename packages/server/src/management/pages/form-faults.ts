import type { AdminFault } from '../../domain/admin-fault.ts'
import { html } from '../../web/html.ts'
import type { Field } from '../../web/parts/form.ts'
import { notice } from '../../web/parts/notice.ts'
import { toFaultProblem, toSnake } from '../fault-problems.ts'
import type { FormValues } from './page-route.ts'
import type { PageView } from './page-view.ts'

/** A form after a refused attempt. */
export interface RefusedForm {
  readonly status: number
  readonly fields: readonly Field[]
  /** Sentence about the form as a whole. */
  readonly error: string | undefined
}

/**
 * Returns the fields of a form with the values that were sent, and the fault at those that are wrong. `current` has the
 * values that are stored: after a lost update, each field that differs shows both, and the next attempt is made from
 * the current revision.
 */
export function refuseForm(current: readonly Field[], form: FormValues, fault: AdminFault): RefusedForm {
  const { status, detail } = toFaultProblem(fault)
  if (fault.fault === 'changed_meanwhile') return { status, fields: compare(current, form), error: lostUpdate }
  const text = inLabels(detail, current)
  const isWrong = ({ name, type }: Field) => type !== 'hidden' && fault.fields.some(one => toSnake(one) === name)
  const fields = fillForm(current, form).map(field => (isWrong(field) ? { ...field, error: text } : field))
  const isMarked = fields.some(({ error }) => error !== undefined)
  return { status: status === 400 ? 422 : status, fields, error: isMarked ? undefined : text }
}

/** Returns the form again if a select or radio buttons have a value that they do not offer; otherwise undefined. */
export function refuseUnknownChoices(current: readonly Field[], form: FormValues): RefusedForm | undefined {
  const isUnknown = ({ name, type, choices = [] }: Field) =>
    (type === 'select' || type === 'radio') &&
    form.text(name) !== '' &&
    !choices.some(({ value }) => value === form.text(name))
  if (!current.some(isUnknown)) return undefined
  const error = 'Choose one of the values of the list.'
  const fields = fillForm(current, form).map((field, i) => (isUnknown(current[i]!) ? { ...field, error } : field))
  return { status: 422, fields, error: undefined }
}

/** Returns the page for a value that no button of the pages sends. */
export const unknownValueView = (name: string, values: readonly string[]): PageView => ({
  status: 422,
  title: 'The form could not be accepted',
  content: notice('bad', html`<p>${name} must be ${values.join(' or ')}. Nothing was changed.</p>`, 'alert'),
})

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

/** Adds the stored value to each field that differs from it. The hidden revision is the current one. */
const compare = (current: readonly Field[], form: FormValues): Field[] =>
  fillForm(current, form).map((field, i) => {
    const stored = current[i]!
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
