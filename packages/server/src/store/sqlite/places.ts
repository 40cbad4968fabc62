import type { ChangeRecord } from '../../domain/change-record.ts'
import type { Id } from '../../domain/id.ts'
import type { PlaceDecisions } from '../../domain/places.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import type { Batch } from '../rows/batch.ts'
import { createLocationWriter } from '../rows/location-rules.ts'
import { type OverrideRow, toOverride } from '../rows/override-rules.ts'
import {
  liftOverride,
  mergePlace,
  overrideField,
  type PlaceStep,
  type PlaceStores,
  removePlace,
} from '../rows/place-rules.ts'
import { logOrder, where } from '../sql/terms.ts'
import { prepareChangeRecorder } from './change-log.ts'
import { createRecordWriter } from './change-record.ts'
import { createSqliteLocationRows } from './location-rows.ts'
import { createSqliteOverrides } from './overrides.ts'
import { prepareReviewTotals } from './review-totals.ts'
import { prepareRevisionCopy, prepareRevisionIncrement } from './revision.ts'

/**
 * Opens the decisions about places. A decision is committed to control.sqlite while the write lock of data.sqlite is
 * held, so that each batch of an import is entirely before or after it.
 */
export function createSqlitePlaces(control: Sqlite, data: Sqlite, clock: Clock): PlaceDecisions {
  const stores = createStores(control, data)
  const decide = createDecider(control, data, clock)
  const override = decide((change: Parameters<PlaceDecisions['override']>[0], step) =>
    overrideField(stores, change, step),
  )
  const merge = decide((change: Parameters<PlaceDecisions['merge']>[0], step) => mergePlace(stores, change, step))
  const remove = decide((change: Parameters<PlaceDecisions['remove']>[0], step) => removePlace(stores, change, step))
  const lift = decide((change: Parameters<typeof liftOverride>[1], step) => liftOverride(stores, change, step))
  return {
    of: async id => stores.overridesOf(id).map(row => toOverride(control, row)),
    list: async ({ limit, after, order }) => {
      const { follows, sorted } = logOrder('revision', after, order)
      const { sql, params } = where(follows)
      return control
        .prepare<[object], OverrideRow>(`SELECT * FROM overrides ${sql} ${sorted} LIMIT @limit`)
        .safeIntegers()
        .all({ ...params, limit })
        .map(row => toOverride(control, row))
    },
    override: async (change, record) => override(change, record),
    merge: async (change, record) => merge(change, record),
    remove: async (change, record) => remove(change, record),
    lift: async (id, field, expectedRevision, record) => lift({ id, field, expectedRevision }, record),
  }
}

function createStores(control: Sqlite, data: Sqlite): PlaceStores {
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
  const remove = control.prepare<[Id, string]>('DELETE FROM overrides WHERE location = ? AND field = ?')
  return {
    locations: createLocationWriter(createSqliteLocationRows(data), createSqliteOverrides(control)),
    override: (id, field) => one.get(id, field),
    overridesOf: id => of.all(id),
    putOverride: ({ decision: { reason, actor }, ...row }, atMs) =>
      void put.run({ ...row, reason, actor: JSON.stringify(actor), atMs }),
    removeOverride: (id, field) => void remove.run(id, field),
    parseJson: text => control.parseJson(text),
  }
}

/** Returns a function that wraps a decision: its control rows are committed first, while `data` is locked. */
function createDecider(control: Sqlite, data: Sqlite, clock: Clock) {
  const recorder = prepareChangeRecorder(data)
  const totalsOf = prepareReviewTotals(data)
  const [incrementRevision, copyRevision] = [prepareRevisionIncrement(control), prepareRevisionCopy(control, data)]
  const writeRecord = createRecordWriter(control)
  return <A, T>(work: (input: A, step: PlaceStep) => T) =>
    data.transaction((input: A, record: ChangeRecord): T => {
      const atMs = clock.nowMs()
      const changes = recorder(atMs)
      const batch: Batch = { atMs, changes, totals: totalsOf(atMs, changes), hasDecisions: true, hasOverrides: true }
      const commit = control.transaction((rows: () => void) => {
        incrementRevision()
        rows()
        writeRecord(record)
      }).immediate
      const result = work(input, { batch, commit })
      batch.totals.flush()
      changes.flush()
      copyRevision()
      return result
    }).immediate
}
