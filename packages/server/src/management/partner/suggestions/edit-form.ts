import type { AdminFault } from '../../../domain/admin-fault.ts'
import type { Location } from '../../../domain/location.ts'
import type { OverrideField } from '../../../domain/override.ts'
import { type SuggestedValues, type SuggestionKind, suggestedFields } from '../../../domain/suggestion.ts'
import type { Field } from '../../../web/parts/form.ts'
import { type RefusedForm, refuseForm } from '../../pages/form-faults.ts'
import type { FormValues } from '../../pages/page-route.ts'
import { readValue, valueFields } from '../../shared/places/place-form.ts'
import { placeField } from './place-input.ts'

/** Returns the inputs of a suggestion, filled with what the place has. */
export const editFields = (kind: SuggestionKind, placeId: string, location: Location): Field[] => [
  { name: 'place', label: 'Place', type: 'hidden', value: placeId },
  { name: 'kind', label: 'Kind', type: 'hidden', value: kind },
  ...fieldsOf(kind).flatMap(field => valueFields(field, location)),
  ...(kind === 'duplicate' ? [placeField('duplicate_of', 'The other place')] : []),
  {
    name: 'comment',
    label: 'Comment',
    type: 'textarea',
    rows: 3,
    required: kind === 'other',
    hint:
      kind === 'other' ? 'What is wrong, and how you know.' : 'How you know, such as “seen today” or “their website”.',
  },
]

/** Returns the values of the fields whose inputs were changed; null for one that was emptied. */
export const readValues = (kind: SuggestionKind, sent: FormValues, location: Location): SuggestedValues =>
  Object.fromEntries(
    fieldsOf(kind)
      .filter(field => isEdited(valueFields(field, location), sent))
      .map(field => [field, readValue(field, sent, location) ?? null]),
  )

const isEdited = (stored: readonly Field[], sent: FormValues): boolean =>
  stored.some(({ name, value = '' }) => toLines(sent.text(name)) !== toLines(String(value).trim()))

/** Browsers send a line break as two characters. */
const toLines = (text: string): string => text.replaceAll('\r\n', '\n')

/** Returns the inputs with what was sent; the fault of a value is at the first input of its field. */
export function refuseEdit(
  kind: SuggestionKind,
  current: readonly Field[],
  sent: FormValues,
  { fault, location }: { readonly fault: AdminFault; readonly location: Location },
): RefusedForm {
  const refused = refuseForm(current, sent, fault)
  if (fault.fault !== 'override_invalid') return refused
  const field = fieldsOf(kind).find(one => one === fault.field)
  const wrong = field && valueFields(field, location)[0]?.name
  const fields = refused.fields.map(one => (one.name === wrong ? { ...one, error: fault.detail } : one))
  return { ...refused, fields, error: wrong === undefined ? fault.detail : undefined }
}

const fieldsOf = (kind: SuggestionKind): readonly OverrideField[] => suggestedFields[kind]
