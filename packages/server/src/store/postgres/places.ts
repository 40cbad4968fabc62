import type { KeyObject } from 'node:crypto'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { Id } from '../../domain/id.ts'
import { timeOrders } from '../../domain/list-order.ts'
import type { PlaceDecisions } from '../../domain/places.ts'
import type { Clock } from '../../kit/clock.ts'
import { type OverrideRow, toOverride } from '../rows/override-rules.ts'
import {
  liftOverride,
  mergePlace,
  overrideField,
  type PlaceStep,
  type PlaceStores,
  removePlace,
} from '../rows/place-rules.ts'
import { writeRecord } from '../sql/change-record.ts'
import type { SqlWork } from '../sql/database.ts'
import { lockData, PostgresBatch } from './batch.ts'
import { writeRecords } from './moderation.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'

/** Opens the decisions about places. A decision, its record and its effects are one transaction. */
export function createPostgresPlaces(pool: PostgresPool, pepper: KeyObject, clock: Clock): PlaceDecisions {
  const decide = <T>(
    id: Id,
    others: readonly Id[],
    record: ChangeRecord,
    rule: (stores: PlaceStores, step: PlaceStep) => T,
  ): Promise<T> =>
    pool.transaction(async session => {
      await lockData(session)
      const batch = await PostgresBatch.open(session, { pepper, atMs: clock.nowMs() })
      await batch.loadPlaces([id], [id], others)
      const records: SqlWork<void>[] = []
      const commit = (rows: () => void) => {
        rows()
        records.push(writeRecord(record))
      }
      const result = rule(createStores(batch, await nextRevision(session)), { batch, commit })
      await batch.write()
      if (records.length > 0) await session.run('UPDATE store_identity SET revision = revision + 1')
      await writeRecords(session, records)
      return result
    })

  return {
    of: async id => {
      const rows = await pool.query<OverrideRow>('SELECT * FROM overrides WHERE location = $1 ORDER BY field', [id])
      return rows.map(row => toOverride(pool, row))
    },
    list: async ({ limit, after, order = timeOrders.byDefault }) => {
      const [follows, direction] = order.isDescending ? ['<', 'DESC'] : ['>', 'ASC']
      const rows = await pool.query<OverrideRow>(
        `SELECT * FROM overrides WHERE $1::bigint IS NULL OR revision ${follows} $1
         ORDER BY revision ${direction} LIMIT $2`,
        [after ?? null, limit],
      )
      return rows.map(row => toOverride(pool, row))
    },
    override: (change, record) => decide(change.id, [], record, (stores, step) => overrideField(stores, change, step)),
    merge: (change, record) =>
      decide(change.id, [change.into], record, (stores, step) => mergePlace(stores, change, step)),
    remove: (change, record) => decide(change.id, [], record, (stores, step) => removePlace(stores, change, step)),
    lift: (id, field, expectedRevision, record) =>
      decide(id, [], record, (stores, step) => liftOverride(stores, { id, field, expectedRevision }, step)),
  }
}

const createStores = (batch: PostgresBatch, revision: bigint): PlaceStores => ({
  locations: batch.createLocationWriter(),
  override: (id, field) => batch.overrides.of(id).find(row => row.field === field),
  overridesOf: id => batch.overrides.of(id),
  putOverride: (row, atMs) => batch.overrides.put(row, atMs, revision),
  removeOverride: (id, field) => batch.overrides.remove(id, field),
  parseJson: text => batch.overrides.parseJson(text),
})

/** Returns the revision of the decision that is being made. */
async function nextRevision(session: PostgresSession): Promise<bigint> {
  const [row] = await session.query<{ revision: bigint }>('SELECT revision + 1 AS revision FROM store_identity')
  return row!.revision
}
