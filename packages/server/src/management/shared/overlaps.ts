import type { AdminFault } from '../../domain/admin-fault.ts'
import type { Choice, Field } from '../../web/parts/form.ts'
import { type RefusedForm, refuseForm } from '../pages/form-faults.ts'
import type { FormValues } from '../pages/page-route.ts'

/** The times for which the earlier secrets of a rotated key stay valid, in seconds. */
export const overlapChoices: readonly Choice[] = [
  { value: '0', label: 'No time: they end at once', hint: 'Choose this if a secret has leaked.' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
]

/** The choice that a new form shows. */
export const defaultOverlap = '86400'

/** Returns a choice in milliseconds; -1, which rotations refuse, for any other text. */
export const overlapMsOf = (chosen: string): number =>
  overlapChoices.some(({ value }) => value === chosen) ? Number(chosen) * 1000 : -1

/** Returns the form of a refused rotation; after a time that it does not offer, with the default. */
export function refuseRotation(current: readonly Field[], form: FormValues, fault: AdminFault): RefusedForm {
  if (fault.fault !== 'overlap_invalid') return refuseForm(current, form, fault)
  const error = 'Choose one of these times.'
  const fields = current.map(field => (field.name === 'overlap' ? { ...field, error } : field))
  return { status: 422, fields, error: undefined }
}
