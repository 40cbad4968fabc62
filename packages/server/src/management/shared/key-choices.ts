import type { Key } from '../../domain/key.ts'

/** Returns the choices of a filter by key. */
export const keyChoices = (keys: readonly Key[]) => [
  { value: '', label: 'All keys' },
  ...keys.map(({ id, name, test }) => ({ value: id, label: `${name ?? id}${test ? ' (test)' : ''}` })),
]
