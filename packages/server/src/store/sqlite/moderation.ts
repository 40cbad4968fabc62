import type { ChangeRecord } from '../../domain/change-record.ts'
import type { ReviewModeration } from '../../domain/data-stores.ts'
import type { Erased } from '../../domain/erased.ts'
import type { EventDraft } from '../../domain/event.ts'
import type { Id } from '../../domain/id.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import type { Decisions } from '../rows/decision-rules.ts'
import { createLocationWriter } from '../rows/location-rules.ts'
import {
  type DecisionStep,
  eraseReviews,
  hideReview,
  type ModeratedStores,
  showReview,
} from '../rows/moderation-rules.ts'
import { erasePhoto, type PhotoStores } from '../rows/photo-rules.ts'
import { prepareChangeRecorder } from './change-log.ts'
import { createEventWriter, createRecordWriter } from './change-record.ts'
import { createSqliteIds } from './ids.ts'
import { createSqliteLocationRows } from './location-rows.ts'
import { createSqliteOverrides } from './overrides.ts'
import { createSqliteReviewRows } from './review-rows.ts'
import { prepareReviewTotals } from './review-totals.ts'
import { prepareRevisionCopy, prepareRevisionIncrement } from './revision.ts'
import { requestCleanup } from './upkeep.ts'

/** Returns the events of erased reviews. */
type EventsOf = (ids: readonly Id[]) => readonly EventDraft[]

/**
 * Opens moderation on both stores. A decision is committed to control.sqlite while the write lock of data.sqlite is
 * held: an import batch either commits before the decision, and its rows are found here, or starts later and reads the
 * decision.
 */
export function createSqliteModeration(
  control: Sqlite,
  data: Sqlite,
  decisions: Decisions,
  clock: Clock,
): ReviewModeration {
  const stores = createStores(control, data, decisions)
  const { writeRecord, writeEvents, decide, inStore } = createDecider(control, data, clock)
  const { known, ofUser } = prepareLookups(control, data)

  const hide = inStore((id: Id, step, reason?: string) => hideReview(stores, id, reason, step))
  const show = inStore((id: Id, step) => showReview(stores, id, step))
  const eraseIds = inStore((ids: readonly Id[], { batch }, onChange: () => void = () => {}) =>
    decide(() => {
      const { erased, changed } = eraseReviews(stores, ids, batch)
      requestCleanup(control, 'truncate', batch.atMs)
      if (changed) onChange()
      return erased
    }),
  )
  const photoStores = createPhotoStores(control, data, stores)
  const eraseOnePhoto = inStore((photoId: string, { batch, commit }) => {
    const all = { ...batch, hasDecisions: true, hasOverrides: true }
    const commitErasure = (rows: () => void) =>
      commit(() => {
        rows()
        requestCleanup(control, 'truncate', batch.atMs)
      })
    return erasePhoto(photoStores, photoId, { batch: all, commit: commitErasure })
  })
  const waitForBatches = data.transaction(() => {}).immediate

  /**
   * Erases all reviews of a user. The user is blocked first, so that no batch adds a review afterwards. Users have no
   * index.
   */
  const eraseUser = (userKey: string, eventsOf: EventsOf, record: ChangeRecord): Erased => {
    const isNew = decide(() => {
      const blocked = decisions.eraseUser(userKey, clock.nowMs())
      if (blocked) writeRecord(record)
      return blocked
    })
    waitForBatches()
    const ids = ofUser(userKey)
    return eraseIds(ids, record, () => {
      if (!isNew) writeRecord(record)
      writeEvents(eventsOf(ids))
    })
  }

  return {
    hide: async (id, record, reason) => hide(id, record, reason),
    show: async (id, record) => show(id, record),
    erase: async (id, record) =>
      known(id) || stores.reviews.shown.get(id) ? eraseIds([id], record, () => writeRecord(record)) : undefined,
    eraseUser: async (userKey, eventsOf, record) => eraseUser(userKey, eventsOf, record),
    erasePhoto: async (photoId, record) => eraseOnePhoto(photoId, record),
    isErased: async (source, sourceId) => decisions.isErasedKey(source, sourceId),
  }
}

function createStores(control: Sqlite, data: Sqlite, decisions: Decisions): ModeratedStores {
  const ids = createSqliteIds(control, decisions)
  return { reviews: createSqliteReviewRows(data), decisions, release: id => ids.release('review', id) }
}

const createPhotoStores = (control: Sqlite, data: Sqlite, { reviews, decisions }: ModeratedStores): PhotoStores => ({
  locations: createLocationWriter(createSqliteLocationRows(data), createSqliteOverrides(control)),
  reviews,
  decisions,
})

function createDecider(control: Sqlite, data: Sqlite, clock: Clock) {
  const recorder = prepareChangeRecorder(data)
  const totalsOf = prepareReviewTotals(data)
  const [incrementRevision, copyRevision] = [prepareRevisionIncrement(control), prepareRevisionCopy(control, data)]
  const [writeRecord, writeEvents] = [createRecordWriter(control), createEventWriter(control)]
  const decide = <T>(work: () => T): T => {
    const decideAll = () => {
      incrementRevision()
      return work()
    }
    return control.transaction(decideAll).immediate()
  }
  const inStore = <A, M, T>(work: (input: A, step: DecisionStep, more?: M) => T) =>
    data.transaction((input: A, record: ChangeRecord, more?: M): T => {
      const atMs = clock.nowMs()
      const changes = recorder(atMs)
      const totals = totalsOf(atMs, changes)
      const commit = (rows: () => void) =>
        decide(() => {
          rows()
          writeRecord(record)
        })
      const result = work(input, { batch: { atMs, changes, totals }, commit }, more)
      totals.flush()
      changes.flush()
      copyRevision()
      return result
    }).immediate
  return { writeRecord, writeEvents, decide, inStore }
}

function prepareLookups(control: Sqlite, data: Sqlite) {
  const known = control.prepare<[Id], 1>('SELECT 1 FROM record_ids WHERE kind = 2 AND id = ?').pluck()
  const ofUser = data
    .prepare<[{ user: string }], Id>(
      'SELECT id FROM reviews WHERE user_key = @user UNION SELECT id FROM hidden_reviews WHERE user_key = @user',
    )
    .pluck()
    .safeIntegers()
  return { known: (id: Id) => known.get(id) !== undefined, ofUser: (user: string) => ofUser.all({ user }) }
}
