import type { KeyObject } from 'node:crypto'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { ReviewModeration } from '../../domain/data-stores.ts'
import type { Erased } from '../../domain/erased.ts'
import type { Id } from '../../domain/id.ts'
import { parsePhotoId } from '../../domain/photo.ts'
import type { Clock } from '../../kit/clock.ts'
import { storable } from '../rows/copy-text.ts'
import { erasureDigests } from '../rows/decision-rules.ts'
import { releaseKey } from '../rows/id-rules.ts'
import {
  type DecisionStep,
  eraseReviews,
  hideReview,
  type ModeratedStores,
  showReview,
} from '../rows/moderation-rules.ts'
import { erasePhoto } from '../rows/photo-rules.ts'
import { writeEvents, writeRecord } from '../sql/change-record.ts'
import type { SqlWork } from '../sql/database.ts'
import { lockData, PostgresBatch } from './batch.ts'
import { LoadedIds } from './loaded-ids.ts'
import { locks } from './locks.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { performOn } from './sql-database.ts'

/** The state of a decision about reviews. */
interface Decision {
  readonly batch: PostgresBatch
  readonly stores: ModeratedStores
  readonly ids: LoadedIds
}

/** Result of a decision, and the records of what it has changed. */
interface Decided<T> {
  readonly result: T
  readonly records: readonly SqlWork<void>[]
}

type Decide = <T>(reviewIds: readonly Id[], work: (decision: Decision) => Decided<T>) => Promise<T>

/**
 * Opens moderation. A decision, its record and its effects are one transaction, before or after each batch of an
 * import.
 */
export function createPostgresModeration(pool: PostgresPool, pepper: KeyObject, clock: Clock): ReviewModeration {
  const decide: Decide = (reviewIds, work) =>
    pool.transaction(async session => {
      await lockData(session)
      const decision = await loadDecision(session, reviewIds, pepper, clock.nowMs())
      const { result, records } = work(decision)
      await decision.batch.write()
      await decision.ids.write(session)
      await writeRecords(session, records)
      return result
    })
  const { ofKey } = erasureDigests(pepper)
  return {
    hide: (id, record, reason) =>
      decide(
        [id],
        withRecord(record, ({ stores }, step) => hideReview(stores, id, reason, step)),
      ),
    show: (id, record) =>
      decide(
        [id],
        withRecord(record, ({ stores }, step) => showReview(stores, id, step)),
      ),
    erase: (id, record) =>
      decide<Erased | undefined>([id], decision =>
        decision.ids.holderOf(id) || decision.stores.reviews.shown.get(id)
          ? eraseAll(decision, [id], () => [writeRecord(record)])
          : { result: undefined, records: [] },
      ),
    eraseUser: async (userKey, eventsOf, record) => {
      const isNew = await blockUser(pool, userKey, { pepper, clock, record })
      const reviewIds = await findReviewsOf(pool, userKey)
      const records = () => [...(isNew ? [] : [writeRecord(record)]), writeEvents(eventsOf(reviewIds))]
      return decide(reviewIds, decision => eraseAll(decision, reviewIds, records))
    },
    erasePhoto: (photoId, record) => eraseOnePhoto(pool, photoId, { pepper, clock, record }),
    isErased: async (source, sourceId) =>
      (await pool.query('SELECT 1 FROM erasures WHERE digest = $1', [ofKey(source, sourceId)])).length > 0,
  }
}

interface PhotoErasure {
  readonly pepper: KeyObject
  readonly clock: Clock
  readonly record: ChangeRecord
}

/** Erases a photo of a location or review. */
const eraseOnePhoto = (
  pool: PostgresPool,
  photoId: string,
  { pepper, clock, record }: PhotoErasure,
): Promise<Erased | undefined> =>
  pool.transaction(async session => {
    await lockData(session)
    const batch = await PostgresBatch.open(session, { pepper, atMs: clock.nowMs() })
    const owner = parsePhotoId(photoId)
    if (owner?.origin === 'review') await batch.loadReviews([owner.id], [])
    else if (owner) await batch.loadPlaces([owner.id], [], [])
    const stores = { locations: batch.createLocationWriter(), reviews: batch.reviews, decisions: batch.decisions }
    const records: SqlWork<void>[] = []
    const commit = (rows: () => void) => {
      rows()
      records.push(writeRecord(record))
    }
    const erased = erasePhoto(stores, photoId, { batch, commit })
    await batch.write()
    await writeRecords(session, records)
    return erased
  })

/** Runs a rule that commits at most once, with a record. */
const withRecord =
  <T>(record: ChangeRecord, rule: (decision: Decision, step: DecisionStep) => T) =>
  (decision: Decision): Decided<T> => {
    const records: SqlWork<void>[] = []
    const commit = (rows: () => void) => {
      rows()
      records.push(writeRecord(record))
    }
    return { result: rule(decision, { batch: decision.batch, commit }), records }
  }

function eraseAll(
  { stores, batch }: Decision,
  reviewIds: readonly Id[],
  recordsOf: () => readonly SqlWork<void>[],
): Decided<Erased> {
  const { erased, changed } = eraseReviews(stores, reviewIds, batch)
  return { result: erased, records: changed ? recordsOf() : [] }
}

/** Rejects reviews of a user from the next batch on; returns false if they were rejected before. */
const blockUser = (
  pool: PostgresPool,
  userKey: string,
  { pepper, clock, record }: { readonly pepper: KeyObject; readonly clock: Clock; readonly record: ChangeRecord },
): Promise<boolean> =>
  pool.transaction(async session => {
    // Batches that do not know the decision have ended when the lock is free.
    await lockData(session)
    const sql = 'INSERT INTO erasures (digest, at_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    const isNew = (await session.run(sql, [erasureDigests(pepper).ofUser(userKey), clock.nowMs()])) > 0
    await writeRecords(session, isNew ? [writeRecord(record)] : [])
    return isNew
  })

async function loadDecision(
  session: PostgresSession,
  reviewIds: readonly Id[],
  pepper: KeyObject,
  atMs: number,
): Promise<Decision> {
  const batch = await PostgresBatch.open(session, { pepper, atMs })
  await batch.loadReviews(reviewIds, [])
  const ids = await LoadedIds.forIds(session, 'review', reviewIds)
  return {
    batch,
    ids,
    stores: { reviews: batch.reviews, decisions: batch.decisions, release: id => releaseKey(ids, id) },
  }
}

/** Writes records of changes, which become visible in the order of the outbox. */
export async function writeRecords(session: PostgresSession, records: readonly SqlWork<void>[]): Promise<void> {
  if (records.length === 0) return
  await session.query('SELECT pg_advisory_xact_lock($1)', [locks.control])
  for (const record of records) await performOn(session, record)
}

/** Finds the reviews of a user, who has no index: reads all of them. */
async function findReviewsOf(pool: PostgresPool, userKey: string): Promise<Id[]> {
  const rows = await pool.query<{ id: Id }>(
    'SELECT id FROM reviews WHERE user_key = $1 UNION SELECT id FROM hidden_reviews WHERE user_key = $1 ORDER BY id',
    [storable(userKey)],
  )
  return rows.map(({ id }) => id)
}
