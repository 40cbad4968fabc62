import type { SyncState } from '../domain/sync.ts'
import { textTable } from './print.ts'

const time = (ms: number | undefined): string => (ms === undefined ? '-' : new Date(ms).toISOString())

/** Formats the states of syncs as text. */
export function syncTable(states: readonly SyncState[]): string {
  if (states.length === 0) return 'No sync has run yet.'
  const rows = states.map(({ name, position = '-', last: { runs, succeededMs, failures, counts } }) => [
    name,
    time(succeededMs),
    position.length > 40 ? `${position.slice(0, 40)}…` : position,
    runs,
    failures,
    counts.added,
    counts.changed,
    counts.removed,
    counts.rejected,
  ])
  return [
    textTable(
      ['sync', 'last success', 'position', 'runs', 'failures', 'added', 'changed', 'removed', 'rejected'],
      rows,
    ),
    ...states.flatMap(({ name, last: { failure } }) => (failure === undefined ? [] : [`${name}: ${failure}`])),
  ].join('\n')
}
