import { type Id, maxAssignedId } from '../../domain/id.ts'
import type { ExternalKey, IdAssignment, RecordKind } from '../../domain/record-write.ts'
import type { Sqlite } from '../connection.ts'
import { kindNumber } from './codes.ts'
import type { Decisions } from './decisions.ts'
import { prepareRevisionIncrement } from './revision.ts'

/** The id registry in control.sqlite. */
export interface IdRegistry {
  /** Finds or assigns an id for each key; all are on disk on return. */
  assign(kind: RecordKind, keys: readonly ExternalKey[]): IdAssignment[]
  find(kind: RecordKind, source: string, sourceId: string): Id | undefined
  /** Deletes and returns the external key of a record; the id stays assigned. Must run inside a transaction. */
  release(kind: RecordKind, id: Id): ExternalKey | undefined
}

interface Holder {
  name: string
  source_id: string
  brought_by: number | null
}

/** State of one call of `assign`. */
interface Counter {
  /** The next id to assign. */
  next: Id
  /** The first id from `next` on that is in use already. */
  taken: Id | undefined
  /** True if a review may have been erased. */
  readonly hasDecisions: boolean
  /** True if the previous key was new: most files have only new keys, or only known ones. */
  wasNew: boolean
}

/** Source of records that were imported with an id alone; a later source_id may take over the id. */
export const noSource = ''

/** Opens the registry on a control.sqlite connection. Keys of erased reviews never get an id again. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the statements it prepares once.
export function createSqliteIds(control: Sqlite, decisions: Decisions): IdRegistry {
  const sourceNo = control.prepare<[string], number>('SELECT no FROM sources WHERE name = ?').pluck()
  const addSource = control.prepare('INSERT INTO sources (name) VALUES (?)')
  const idOf = control
    .prepare<[number, number, string], Id>(
      'SELECT id FROM record_ids WHERE kind = ? AND source_no = ? AND source_id = ?',
    )
    .pluck()
    .safeIntegers()
  const holderOf = control.prepare<[number, Id], Holder>(
    'SELECT name, source_id, brought_by FROM record_ids JOIN sources ON no = source_no WHERE kind = ? AND id = ?',
  )
  const insert = control.prepare('INSERT INTO record_ids (kind, source_no, source_id, id) VALUES (?, ?, ?, ?)')
  const insertNew = control.prepare(
    `INSERT INTO record_ids (kind, source_no, source_id, id) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, source_no, source_id) DO NOTHING`,
  )
  const setBroughtBy = control.prepare('UPDATE record_ids SET brought_by = ? WHERE kind = ? AND id = ?')
  const remove = control.prepare('DELETE FROM record_ids WHERE kind = ? AND id = ?')
  const nextTaken = control
    .prepare<[number, Id], Id | null>('SELECT min(id) FROM record_ids WHERE kind = ? AND id >= ?')
    .pluck()
    .safeIntegers()
  const nextId = control.prepare<[number], Id>('SELECT next_id FROM id_counters WHERE kind = ?').pluck().safeIntegers()
  const totalChanges = control.prepare<[], number>('SELECT total_changes()').pluck()
  const incrementRevision = prepareRevisionIncrement(control)
  const saveNextId = control.prepare('UPDATE id_counters SET next_id = ? WHERE kind = ?')
  const sources = new Map<string, number>()

  const findSourceNumber = (source: string): number | undefined => {
    const known = sources.get(source) ?? sourceNo.get(source)
    if (known !== undefined) sources.set(source, known)
    return known
  }
  const find = (kind: RecordKind, source: string, sourceId: string): Id | undefined => {
    const no = findSourceNumber(source)
    return no === undefined ? undefined : idOf.get(kindNumber[kind], no, sourceId)
  }
  const getSourceNumber = (source: string): number =>
    findSourceNumber(source) ?? Number(addSource.run(source).lastInsertRowid)
  const register = (kind: RecordKind, source: string, sourceId: string, id: Id): void => {
    insert.run(kindNumber[kind], getSourceNumber(source), sourceId, id)
  }

  const registerExplicit = (kind: RecordKind, source: string, sourceId: string, id: Id, counter: Counter): void => {
    register(kind, source, sourceId, id)
    if (id >= counter.next && (counter.taken === undefined || id < counter.taken)) counter.taken = id
  }

  /** Returns the next free id; explicit ids that are in use are skipped. */
  const nextFreeId = (kind: RecordKind, counter: Counter): Id => {
    while (counter.next === counter.taken) {
      counter.next++
      counter.taken = nextTaken.get(kindNumber[kind], counter.next) ?? undefined
    }
    if (counter.next > maxAssignedId) throw new Error('The id counter has reached 2^53: no more ids can be assigned.')
    return counter.next++
  }

  /** Assigns the next id to a new key without looking it up first; returns undefined if the key is known. */
  const assignIfNew = (kind: RecordKind, source: string, sourceId: string, counter: Counter): Id | undefined => {
    const next = nextFreeId(kind, counter)
    if (insertNew.run(kindNumber[kind], getSourceNumber(source), sourceId, next).changes > 0) return next
    counter.next = next
    return undefined
  }

  const assignOne = (kind: RecordKind, key: ExternalKey, counter: Counter): IdAssignment => {
    const { source, sourceId, id } = key
    if (sourceId === undefined) return claim(kind, source, id!, counter)
    if (id === undefined && counter.wasNew && !counter.hasDecisions) {
      const assignedId = assignIfNew(kind, source, sourceId, counter)
      if (assignedId !== undefined) return { id: assignedId }
    }
    const known = find(kind, source, sourceId)
    counter.wasNew = known === undefined
    if (known !== undefined) {
      return id === undefined || id === known ? { id: known } : { conflict: 'id_changed', heldBy: `id ${known}` }
    }
    if (counter.hasDecisions && decisions.isErasedKey(source, sourceId)) return { conflict: 'erased' }
    if (id === undefined) {
      const assignedId = nextFreeId(kind, counter)
      register(kind, source, sourceId, assignedId)
      return { id: assignedId }
    }
    const holder = holderOf.get(kindNumber[kind], id)
    if (holder && holder.name !== noSource)
      return { conflict: 'id_taken', heldBy: `${holder.name}:${holder.source_id}` }
    if (holder) remove.run(kindNumber[kind], id)
    registerExplicit(kind, source, sourceId, id, counter)
    return { id }
  }

  /**
   * Resolves a record that has only an id; reserves the id if no record has it. Stores which source imported the record
   * last, for full syncs of that source.
   */
  const claim = (kind: RecordKind, source: string, id: Id, counter: Counter): IdAssignment => {
    const holder = holderOf.get(kindNumber[kind], id)
    if (!holder) registerExplicit(kind, noSource, String(id), id, counter)
    const no = getSourceNumber(source)
    if ((!holder || holder.name === noSource) && holder?.brought_by !== no) setBroughtBy.run(no, kindNumber[kind], id)
    return { id }
  }

  const assign = control.transaction((kind: RecordKind, keys: readonly ExternalKey[]): IdAssignment[] => {
    const changesBefore = totalChanges.get()
    const next = nextId.get(kindNumber[kind])!
    const taken = nextTaken.get(kindNumber[kind], next) ?? undefined
    const counter: Counter = { next, taken, hasDecisions: kind === 'review' && decisions.exist(), wasNew: true }
    const before = counter.next
    const assigned = keys.map(key => assignOne(kind, key, counter))
    if (counter.next !== before) saveNextId.run(counter.next, kindNumber[kind])
    if (totalChanges.get() !== changesBefore) incrementRevision()
    return assigned
  })

  return {
    // After a rollback, cached source numbers may not exist.
    assign: (kind, keys) => {
      try {
        return assign.immediate(kind, keys)
      } catch (error) {
        sources.clear()
        throw error
      }
    },
    find,
    release: (kind, id) => {
      const holder = holderOf.get(kindNumber[kind], id)
      if (!holder || holder.name === noSource) return holder && { source: noSource, id }
      remove.run(kindNumber[kind], id)
      register(kind, noSource, String(id), id)
      return { source: holder.name, sourceId: holder.source_id }
    },
  }
}
