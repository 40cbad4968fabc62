import type { Quota } from './package.ts'

/** The limits that a separate agreement may override (SPEC §5.5, §8). */
export const limitNames = [
  'rate',
  'burst',
  'quota',
  'searchRate',
  'searchBurst',
  'searchQuota',
  'autocompleteRate',
  'autocompleteBurst',
] as const
export type LimitName = (typeof limitNames)[number]

/** The subject of limits: the key (SPEC §8.1), or all keys of its partner together if that was agreed. */
export type LimitSubject = 'key' | 'partner'

/** Values agreed with the holder of a key; a missing member means the value of the package. */
export interface Agreement {
  readonly rate?: number
  readonly burst?: number
  readonly quota?: Quota
  readonly searchRate?: number
  readonly searchBurst?: number
  readonly searchQuota?: Quota
  readonly autocompleteRate?: number
  readonly autocompleteBurst?: number
  readonly subject?: LimitSubject
}
