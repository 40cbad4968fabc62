import type { Change } from '../domain/change.ts'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'

/** The latest change of one place, as events report it, and the record of the place if it exists. */
export interface PlaceChange {
  readonly id: Id
  readonly type: 'location.changed' | 'location.closed' | 'location.merged' | 'location.removed'
  /** The survivor of a merge. */
  readonly mergedInto?: Id
  /** Time of the change, in milliseconds since 1970. */
  readonly atMs: number
  /** The record, or the record of the survivor. Missing for a removed place. */
  readonly entry?: LocationEntry
}

/** Returns the newest change of each place, in the order of the change log. */
export function lastChanges(changes: readonly Change[]): Change[] {
  const newest = new Map<Id, Change>()
  for (const change of changes) {
    if (change.kind !== 'location') continue
    newest.delete(change.id)
    newest.set(change.id, change)
  }
  return [...newest.values()]
}

/** Describes a change; `entry` is what the store returns now for the id, which is the survivor for a merged place. */
export function describeChange({ id, op, mergedInto, atMs }: Change, entry: LocationEntry | undefined): PlaceChange {
  if (op === 'merge' && mergedInto !== undefined)
    return { id, atMs, type: 'location.merged', mergedInto, ...(entry && { entry }) }
  if (op === 'delete' || !entry) return { id, atMs, type: 'location.removed' }
  const isClosed = entry.location().status?.value === 'CLOSED'
  return { id, atMs, type: isClosed ? 'location.closed' : 'location.changed', entry }
}
