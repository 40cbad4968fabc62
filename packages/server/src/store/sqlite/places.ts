import type { ChangeRecord } from '../../domain/change-record.ts'
import type { Id } from '../../domain/id.ts'
import {
  cellOf,
  isWholeField,
  mergeField,
  type Override,
  type PlaceRecord,
  readField,
  removalField,
  writeField,
} from '../../domain/override.ts'
import type { NewOverride, PlaceDecision, PlaceDecisions, PlaceRefusal } from '../../domain/places.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import { prepareChangeRecorder } from './change-log.ts'
import { createRecordWriter } from './change-record.ts'
import { logTerms } from './list-query.ts'
import { createLocationWriter } from './location-writes.ts'
import { createSqliteOverrides, type OverrideRow, toOverride } from './overrides.ts'
import { prepareReviewTotals } from './review-totals.ts'
import type { Batch } from './review-writes.ts'
import { prepareRevisionCopy, prepareRevisionIncrement } from './revision.ts'

interface NewRow {
  readonly id: Id
  readonly field: Override['field']
  readonly value: string
  readonly imported: string
  readonly decision: PlaceDecision
}

/**
 * Opens the decisions about places. A decision is committed to control.sqlite while the write lock of data.sqlite is
 * held, so that each batch of an import is entirely before or after it.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the statements it prepares once.
export function createSqlitePlaces(control: Sqlite, data: Sqlite, clock: Clock): PlaceDecisions {
  const locations = createLocationWriter(data, createSqliteOverrides(control))
  const recorder = prepareChangeRecorder(data)
  const totalsOf = prepareReviewTotals(data)
  const [incrementRevision, copyRevision] = [prepareRevisionIncrement(control), prepareRevisionCopy(control, data)]
  const writeRecord = createRecordWriter(control)
  const one = control
    .prepare<[Id, string], OverrideRow>('SELECT * FROM overrides WHERE location = ? AND field = ?')
    .safeIntegers()
  const of = control
    .prepare<[Id], OverrideRow>('SELECT * FROM overrides WHERE location = ? ORDER BY field')
    .safeIntegers()
  const put = control.prepare(
    `INSERT OR REPLACE INTO overrides (location, field, value, imported, reason, actor, at_ms, revision)
     SELECT @id, @field, @value, @imported, @reason, @actor, @atMs, revision FROM folder_identity`,
  )
  const removeRow = control.prepare<[Id, string]>('DELETE FROM overrides WHERE location = ? AND field = ?')
  const found = (id: Id, field: string) => {
    const row = one.get(id, field)
    return row && toOverride(control, row)
  }

  /** Runs a decision: its control rows are committed first, while `data` is locked. */
  const decide = <A, T>(
    work: (input: A, batch: Batch, commit: (rows: () => void, record: ChangeRecord) => void) => T,
  ) =>
    data.transaction((input: A): T => {
      const atMs = clock.nowMs()
      const changes = recorder(atMs)
      const batch = { atMs, changes, totals: totalsOf(atMs, changes), hasDecisions: true, hasOverrides: true }
      const commit = (rows: () => void, record: ChangeRecord): void =>
        control
          .transaction(() => {
            incrementRevision()
            rows()
            writeRecord(record)
          })
          .immediate()
      const result = work(input, batch, commit)
      batch.totals.flush()
      changes.flush()
      copyRevision()
      return result
    }).immediate
  const store = ({ id, field, value, imported, decision }: NewRow, atMs: number): void =>
    void put.run({ id, field, value, imported, reason: decision.reason, actor: JSON.stringify(decision.actor), atMs })

  const override = decide(
    ({ change, record }: { change: NewOverride; record: ChangeRecord }, batch, commit): Override | PlaceRefusal => {
      const { id, field, value, expectedRevision } = change
      const before = one.get(id, field)
      if (expectedRevision !== undefined && expectedRevision !== Number(before?.revision ?? 0)) return 'changed'
      const place = locations.read(id)
      if (!place) return locations.survivorOf(id) === undefined ? 'unknown' : 'merged'
      const imported = before?.imported
        ? control.parseJson<ReturnType<typeof readField>>(before.imported)
        : readField(place, field)
      const cell = cellOf(field, value, imported)
      const row = { id, field, value: JSON.stringify(cell), imported: JSON.stringify(imported), decision: change }
      commit(() => store(row, batch.atMs), record)
      locations.put(id, writeField(place, field, cell), batch)
      return found(id, field)!
    },
  )

  const merge = decide(
    (
      { change, record }: { change: PlaceDecision & { readonly into: Id }; record: ChangeRecord },
      batch,
      commit,
    ): Override | PlaceRefusal => {
      const { id, into } = change
      const place = locations.read(id)
      if (!place) return locations.survivorOf(id) === undefined ? 'unknown' : 'merged'
      const survivor = locations.survivorOf(into) ?? into
      if (survivor === id) return 'circular'
      if (!locations.read(survivor)) return 'unknown_target'
      // An import stores the values without overrides; so does the place that `lift` restores.
      const imported = of.all(id).reduce((kept, row) => withImported(control, kept, row), place)
      const row: NewRow = {
        id,
        field: mergeField,
        value: JSON.stringify(String(survivor)),
        imported: JSON.stringify(imported),
        decision: change,
      }
      commit(() => store(row, batch.atMs), record)
      locations.merge(id, survivor, batch)
      return found(id, mergeField)!
    },
  )

  const remove = decide(
    (
      { change, record }: { change: PlaceDecision; record: ChangeRecord },
      batch,
      commit,
    ): Override | 'unknown' | 'merged' => {
      const { id } = change
      const place = locations.read(id)
      if (!place) return locations.survivorOf(id) === undefined ? 'unknown' : 'merged'
      const imported = of.all(id).reduce((kept, row) => withImported(control, kept, row), place)
      const row: NewRow = {
        id,
        field: removalField,
        value: JSON.stringify(removalField),
        imported: JSON.stringify(imported),
        decision: change,
      }
      commit(() => store(row, batch.atMs), record)
      locations.remove(id, batch)
      return found(id, removalField)!
    },
  )

  const lift = decide(
    (
      input: { id: Id; field: Override['field']; expectedRevision: number | undefined; record: ChangeRecord },
      batch,
      commit,
    ): Override | 'unknown' | 'changed' => {
      const { id, field, expectedRevision, record } = input
      const row = one.get(id, field)
      if (!row) return 'unknown'
      if (expectedRevision !== undefined && expectedRevision !== Number(row.revision)) return 'changed'
      commit(() => void removeRow.run(id, field), record)
      restore(row, batch)
      return toOverride(control, row)
    },
  )

  const restore = (row: OverrideRow, batch: Batch): void => {
    const { location: id, field, imported } = row
    const place = locations.read(id)
    if (!isWholeField(field)) {
      if (place && imported !== null) locations.put(id, withImported(control, place, row), batch)
    } else if (imported === null) locations.unmerge(id, batch)
    else {
      const others = of.all(id)
      const kept = control.parseJson<PlaceRecord>(imported)
      locations.put(
        id,
        others.reduce((record, other) => withOverride(control, record, other), kept),
        batch,
      )
    }
  }

  return {
    of: async id => of.all(id).map(row => toOverride(control, row)),
    list: async ({ limit, after, order }) => {
      const { follows, sorted } = logTerms('revision', order)
      return control
        .prepare<[object], OverrideRow>(`SELECT * FROM overrides WHERE ${follows} ${sorted} LIMIT @limit`)
        .safeIntegers()
        .all({ after: after ?? null, limit })
        .map(row => toOverride(control, row))
    },
    override: async (change, record) => override({ change, record }),
    merge: async (change, record) => merge({ change, record }),
    remove: async (change, record) => remove({ change, record }),
    lift: async (id, field, expectedRevision, record) => lift({ id, field, expectedRevision, record }),
  }
}

/** Returns a place with the imported value of an overridden field. */
const withImported = (control: Sqlite, place: PlaceRecord, { field, imported }: OverrideRow): PlaceRecord =>
  isWholeField(field) || imported === null ? place : writeField(place, field, control.parseJson(imported))

/** Returns a place with the value of an override. */
const withOverride = (control: Sqlite, place: PlaceRecord, { field, value }: OverrideRow): PlaceRecord =>
  isWholeField(field) ? place : writeField(place, field, control.parseJson(value))
