import type { Change } from './change.ts'
import type { Id } from './id.ts'
import type { LocationEntry } from './location.ts'

/** Types of changes of one place, as events name them. */
export const placeChangeTypes = ['location.changed', 'location.closed', 'location.merged', 'location.removed'] as const

/** The latest change of one place, and the record of the place if it exists. */
export interface PlaceChange {
  readonly id: Id
  readonly type: (typeof placeChangeTypes)[number]
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

/** Start of a list of changes: behind the change with a number, or at a time in milliseconds since 1970. */
export type ChangesStart = { readonly seq: number } | { readonly ms: number }
