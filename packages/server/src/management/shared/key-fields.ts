import type { Key, KeyChange } from '../../domain/key.ts'
import type { PackageName, PackageTable } from '../../domain/package.ts'
import { parseInstant, toLocalDate } from '../../kit/time.ts'
import type { Field } from '../../web/parts/form.ts'
import type { FormValues } from '../pages/page-route.ts'
import { addOnField, agreementFields, packageChoices, readAgreement, readScope, scopeFields } from './terms-fields.ts'

/** The terms that a form of a key has. */
export type KeyTerms = Pick<Key, 'addOns' | 'agreement' | 'scope'> &
  Partial<Pick<Key, 'name' | 'packageName' | 'notes' | 'expiresMs' | 'networks'>>

/** Returns the fields of all terms of a key that the operator decides. */
export const keyTermFields = (
  { name = '', packageName, addOns, agreement, scope, notes = '', expiresMs, networks = [] }: KeyTerms,
  packageTable: PackageTable,
): Field[] => [
  { name: 'name', label: 'Name', value: name, hint: 'Purpose of the key, such as “Web shop”.', required: name !== '' },
  {
    name: 'package',
    label: 'Package',
    type: 'select',
    value: packageName ?? '',
    choices: packageChoices(packageTable),
  },
  addOnField(addOns),
  {
    name: 'expires_at',
    label: 'Ends on',
    type: 'date',
    required: false,
    value: expiresMs === undefined ? '' : toLocalDate(expiresMs, 'UTC'),
    hint: 'The key ends at the start of this day (UTC). Leave empty for a key without an end.',
  },
  {
    name: 'networks',
    label: 'Networks',
    type: 'textarea',
    value: networks.join('\n'),
    required: false,
    hint: 'One per line, such as 203.0.113.0/24. Leave empty to allow every address.',
  },
  ...agreementFields(agreement),
  ...scopeFields(scope),
  {
    name: 'notes',
    label: 'Notes',
    type: 'textarea',
    value: notes,
    required: false,
    hint: 'Partners never see these notes.',
  },
]

/** Reads the terms of a key. A text that is not a date becomes NaN, which the use cases refuse. */
export function readKeyTerms(form: FormValues) {
  const [name, notes, end] = [form.text('name'), form.text('notes'), form.text('expires_at')]
  const networks = form
    .text('networks')
    .split(/[\s,;]+/)
    .filter(Boolean)
  return {
    ...(name !== '' && { name }),
    packageName: (form.text('package') || undefined) as PackageName | undefined,
    addOns: form.all('add_ons') as NonNullable<KeyChange['addOns']>,
    agreement: readAgreement(form),
    scope: readScope(form),
    ...(notes !== '' && { notes }),
    ...(end !== '' && { expiresMs: parseInstant(end) ?? Number.NaN }),
    ...(networks.length > 0 && { networks }),
  }
}
