import type { Id } from '../../domain/id.ts'
import type { ExternalKey, IdAssignment, RecordKind } from '../../domain/record-write.ts'
import type { Sqlite } from '../connection.ts'
import { kindNumber } from '../rows/codes.ts'
import type { Decisions } from '../rows/decision-rules.ts'
import { assignIds, type IdHolder, type IdRows, releaseKey } from '../rows/id-rules.ts'
import { prepareRevisionIncrement } from './revision.ts'

/** The id registry in control.sqlite. */
export interface IdRegistry {
  /** Finds or assigns an id for each key; all are on disk on return. */
  assign(kind: RecordKind, keys: readonly ExternalKey[]): IdAssignment[]
  find(kind: RecordKind, source: string, sourceId: string): Id | undefined
  /** Deletes and returns the external key of a record; the id stays assigned. Must run inside a transaction. */
  release(kind: RecordKind, id: Id): ExternalKey | undefined
}

/** Opens the registry on a control.sqlite connection. */
export function createSqliteIds(control: Sqlite, decisions: Decisions): IdRegistry {
  const sources = createSourceNumbers(control)
  const rows = { location: idRows(control, sources, 'location'), review: idRows(control, sources, 'review') }
  const nextId = control.prepare<[number], Id>('SELECT next_id FROM id_counters WHERE kind = ?').pluck().safeIntegers()
  const saveNextId = control.prepare('UPDATE id_counters SET next_id = ? WHERE kind = ?')
  const totalChanges = control.prepare<[], number>('SELECT total_changes()').pluck()
  const incrementRevision = prepareRevisionIncrement(control)

  const assign = control.transaction((kind: RecordKind, keys: readonly ExternalKey[]): IdAssignment[] => {
    const changesBefore = totalChanges.get()
    const before = nextId.get(kindNumber[kind])!
    const erased = kind === 'review' && decisions.exist() ? decisions : undefined
    const { assigned, next } = assignIds(rows[kind], keys, before, erased)
    if (next !== before) saveNextId.run(next, kindNumber[kind])
    if (totalChanges.get() !== changesBefore) incrementRevision()
    return assigned
  })

  return {
    assign: (kind, keys) => {
      try {
        return assign.immediate(kind, keys)
      } catch (error) {
        // After a rollback, cached source numbers may not exist.
        sources.forget()
        throw error
      }
    },
    find: (kind, source, sourceId) => rows[kind].find(source, sourceId),
    release: (kind, id) => releaseKey(rows[kind], id),
  }
}

/** The numbers of sources by name. */
interface SourceNumbers {
  find(source: string): number | undefined
  /** Adds the source if it is unknown. */
  get(source: string): number
  forget(): void
}

function createSourceNumbers(control: Sqlite): SourceNumbers {
  const read = control.prepare<[string], number>('SELECT no FROM sources WHERE name = ?').pluck()
  const add = control.prepare('INSERT INTO sources (name) VALUES (?)')
  const known = new Map<string, number>()
  const find = (source: string): number | undefined => {
    const number = known.get(source) ?? read.get(source)
    if (number !== undefined) known.set(source, number)
    return number
  }
  return {
    find,
    get: source => find(source) ?? Number(add.run(source).lastInsertRowid),
    forget: () => known.clear(),
  }
}

function idRows(control: Sqlite, sources: SourceNumbers, kind: RecordKind): IdRows {
  const no = kindNumber[kind]
  const idOf = control
    .prepare<[number, string], Id>(`SELECT id FROM record_ids WHERE kind = ${no} AND source_no = ? AND source_id = ?`)
    .pluck()
    .safeIntegers()
  const holderOf = control.prepare<[Id], IdHolder>(
    `SELECT name, source_id, (SELECT name FROM sources WHERE no = brought_by) AS brought_by
     FROM record_ids JOIN sources ON no = source_no WHERE kind = ${no} AND id = ?`,
  )
  const insert = control.prepare(`INSERT INTO record_ids (kind, source_no, source_id, id) VALUES (${no}, ?, ?, ?)`)
  const insertNew = control.prepare(
    `INSERT INTO record_ids (kind, source_no, source_id, id) VALUES (${no}, ?, ?, ?)
     ON CONFLICT (kind, source_no, source_id) DO NOTHING`,
  )
  const remove = control.prepare(`DELETE FROM record_ids WHERE kind = ${no} AND id = ?`)
  const setBroughtBy = control.prepare(`UPDATE record_ids SET brought_by = ? WHERE kind = ${no} AND id = ?`)
  const nextTaken = control
    .prepare<[Id], Id | null>(`SELECT min(id) FROM record_ids WHERE kind = ${no} AND id >= ?`)
    .pluck()
    .safeIntegers()
  return {
    find: (source, sourceId) => {
      const number = sources.find(source)
      return number === undefined ? undefined : idOf.get(number, sourceId)
    },
    holderOf: id => holderOf.get(id),
    add: (source, sourceId, id) => void insert.run(sources.get(source), sourceId, id),
    addNew: (source, sourceId, id) => insertNew.run(sources.get(source), sourceId, id).changes > 0,
    remove: id => void remove.run(id),
    setBroughtBy: (id, source) => void setBroughtBy.run(sources.get(source), id),
    nextTaken: from => nextTaken.get(from) ?? undefined,
  }
}
