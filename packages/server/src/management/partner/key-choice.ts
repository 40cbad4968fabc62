import type { Key } from '../../domain/key.ts'
import type { Html } from '../../web/html.ts'
import { queryForm } from '../../web/parts/form.ts'
import { keyName } from '../shared/key-parts.ts'

/** Returns the form that chooses the key of a page; undefined if there is only one. */
export const keyChoice = (keys: readonly Key[], key: Key, action: string): Html | undefined =>
  keys.length < 2
    ? undefined
    : queryForm(action, 'Show', [
        {
          name: 'key',
          label: 'Key',
          type: 'select',
          value: key.id,
          choices: keys.map(one => ({
            value: one.id,
            label: `${keyName(one)} (${one.test ? 'test' : one.packageName})`,
          })),
        },
      ])
