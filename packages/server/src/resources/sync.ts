import type { SyncState } from '../domain/sync.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { closedObject } from './schema.ts'

export const syncListSchema = closedObject({
  syncs: Type.Array(
    closedObject({
      name: Type.String(),
      position: Type.Union([Type.String(), Type.Null()]),
      runs: count(),
      ended_at: Type.Union([dateTime(), Type.Null()]),
      succeeded_at: Type.Union([dateTime(), Type.Null()]),
      /** Failed runs since the last success. */
      failures: count(),
      failure: Type.Union([Type.String(), Type.Null()]),
      read: count(),
      added: count(),
      changed: count(),
      removed: count(),
      rejected: count(),
    }),
  ),
})

const time = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())

/** Presents the states of syncs. */
export const syncListResource = (states: readonly SyncState[]) => ({
  syncs: states.map(({ name, position = null, last }) => ({
    name,
    position,
    runs: last.runs,
    ended_at: time(last.endedMs),
    succeeded_at: time(last.succeededMs),
    failures: last.failures,
    failure: last.failure ?? null,
    ...last.counts,
  })),
})
