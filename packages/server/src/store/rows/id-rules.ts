import { type Id, maxAssignedId } from '../../domain/id.ts'
import type { ExternalKey, IdAssignment } from '../../domain/record-write.ts'
import type { Decisions } from './decision-rules.ts'

/** The external key that has an id. */
export interface IdHolder {
  readonly name: string
  readonly source_id: string
  /** The source that last imported a record with an id alone. */
  readonly brought_by: string | null
}

/** The registered ids of one kind, as the rules read and write them. */
export interface IdRows {
  find(source: string, sourceId: string): Id | undefined
  holderOf(id: Id): IdHolder | undefined
  add(source: string, sourceId: string, id: Id): void
  /** Adds a key unless it is known; returns false in that case. */
  addNew(source: string, sourceId: string, id: Id): boolean
  remove(id: Id): void
  setBroughtBy(id: Id, source: string): void
  /** Returns the smallest id in use that is not below `from`. */
  nextTaken(from: Id): Id | undefined
}

/** State of one call of `assignIds`. */
interface Counter {
  /** The next id to assign. */
  next: Id
  /** The first id from `next` on that is in use already. */
  taken: Id | undefined
  /** True if the previous key was new: most files have only new keys, or only known ones. */
  wasNew: boolean
}

/** Source of records that were imported with an id alone; a later source_id may take over the id. */
export const noSource = ''

/**
 * Finds or assigns the id of each key, from `next` on; returns the next id to assign. Keys of erased reviews never get an
 * id again; `decisions` is undefined if no review has been erased.
 */
export function assignIds(
  rows: IdRows,
  keys: readonly ExternalKey[],
  next: Id,
  decisions: Decisions | undefined,
): { readonly assigned: IdAssignment[]; readonly next: Id } {
  const counter: Counter = { next, taken: rows.nextTaken(next), wasNew: true }
  const assigned = keys.map(key => assignOne(rows, key, counter, decisions))
  return { assigned, next: counter.next }
}

/**
 * Deletes and returns the external key of a record; the id stays assigned. Returns undefined if no record ever had the
 * id.
 */
export function releaseKey(rows: IdRows, id: Id): ExternalKey | undefined {
  const holder = rows.holderOf(id)
  if (!holder || holder.name === noSource) return holder && { source: noSource, id }
  rows.remove(id)
  rows.add(noSource, String(id), id)
  return { source: holder.name, sourceId: holder.source_id }
}

function assignOne(rows: IdRows, key: ExternalKey, counter: Counter, decisions: Decisions | undefined): IdAssignment {
  const { source, sourceId, id } = key
  if (sourceId === undefined) return claim(rows, source, id!, counter)
  if (id === undefined && counter.wasNew && !decisions) {
    const assignedId = assignIfNew(rows, source, sourceId, counter)
    if (assignedId !== undefined) return { id: assignedId }
  }
  const known = rows.find(source, sourceId)
  counter.wasNew = known === undefined
  if (known !== undefined) {
    return id === undefined || id === known ? { id: known } : { conflict: 'id_changed', heldBy: `id ${known}` }
  }
  if (decisions?.isErasedKey(source, sourceId)) return { conflict: 'erased' }
  if (id !== undefined) return assignExplicit(rows, source, sourceId, id, counter)
  const assignedId = nextFreeId(rows, counter)
  rows.add(source, sourceId, assignedId)
  return { id: assignedId }
}

/** Assigns an id that the source has chosen. */
function assignExplicit(rows: IdRows, source: string, sourceId: string, id: Id, counter: Counter): IdAssignment {
  const holder = rows.holderOf(id)
  if (holder && holder.name !== noSource) return { conflict: 'id_taken', heldBy: `${holder.name}:${holder.source_id}` }
  if (holder) rows.remove(id)
  registerExplicit(rows, source, sourceId, id, counter)
  return { id }
}

/** Assigns the next id to a new key without looking it up first; returns undefined if the key is known. */
function assignIfNew(rows: IdRows, source: string, sourceId: string, counter: Counter): Id | undefined {
  const next = nextFreeId(rows, counter)
  if (rows.addNew(source, sourceId, next)) return next
  counter.next = next
  return undefined
}

/**
 * Resolves a record that has only an id; reserves the id if no record has it. Stores which source imported the record
 * last, for full syncs of that source.
 */
function claim(rows: IdRows, source: string, id: Id, counter: Counter): IdAssignment {
  const holder = rows.holderOf(id)
  if (!holder) registerExplicit(rows, noSource, String(id), id, counter)
  if ((!holder || holder.name === noSource) && holder?.brought_by !== source) rows.setBroughtBy(id, source)
  return { id }
}

function registerExplicit(rows: IdRows, source: string, sourceId: string, id: Id, counter: Counter): void {
  rows.add(source, sourceId, id)
  if (id >= counter.next && (counter.taken === undefined || id < counter.taken)) counter.taken = id
}

/** Returns the next free id; explicit ids that are in use are skipped. */
function nextFreeId(rows: IdRows, counter: Counter): Id {
  while (counter.next === counter.taken) {
    counter.next++
    counter.taken = rows.nextTaken(counter.next)
  }
  if (counter.next > maxAssignedId) throw new Error('The id counter has reached 2^53: no more ids can be assigned.')
  return counter.next++
}
