import type { Key } from '../../domain/key.ts'
import type { Field } from '../../web/parts/form.ts'

/** Returns the fields of a filter by partner and key. `keys` are those of the partner; undefined for all partners. */
export function subjectFields(
  keys: readonly Key[] | undefined,
  chosen: { readonly partner?: string | undefined; readonly key?: string | undefined },
): readonly Field[] {
  const key = { name: 'key', label: 'Key', required: false } as const
  if (keys) return [{ ...key, type: 'select', value: chosen.key ?? '', choices: keyChoices(keys) }]
  return [
    { name: 'partner', label: 'Partner', value: chosen.partner, required: false },
    { ...key, value: chosen.key },
  ]
}

const keyChoices = (keys: readonly Key[]) => [
  { value: '', label: 'All keys' },
  ...keys.map(({ id, name, test }) => ({ value: id, label: `${name ?? id}${test ? ' (test)' : ''}` })),
]
