import type { ChangeRecord } from '../../domain/change-record.ts'
import type { ReviewModeration } from '../../domain/data-stores.ts'
import type { Erased } from '../../domain/erased.ts'
import type { EventDraft } from '../../domain/event.ts'
import type { Id } from '../../domain/id.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import { type ChangeRecorder, prepareChangeRecorder } from './change-log.ts'
import { createEventWriter, createRecordWriter } from './change-record.ts'
import type { Decisions } from './decisions.ts'
import { createSqliteIds } from './ids.ts'
import { prepareReviewTotals, type TotalsBatch } from './review-totals.ts'
import { type ReviewRow, toReview } from './reviews.ts'
import { prepareRevisionCopy, prepareRevisionIncrement } from './revision.ts'
import { requestCleanup } from './upkeep.ts'

type FullRow = ReviewRow & { user_key: string | null }

/** A decision about one review, and its record. */
interface Decision {
  readonly id: Id
  readonly record: ChangeRecord
}

/** Returns the events of erased reviews. */
type EventsOf = (ids: readonly Id[]) => readonly EventDraft[]

/** State of one transaction on data.sqlite. */
interface Step {
  readonly atMs: number
  readonly changes: ChangeRecorder
  readonly totals: TotalsBatch
}

const columns = 'id, location_id, published_ms, rating, language, trip_type, user_key, record'

/**
 * Opens moderation on both stores. A decision is committed to control.sqlite while the write lock of data.sqlite is
 * held: an import batch either commits before the decision, and its rows are found here, or starts later and reads the
 * decision.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the statements it prepares once.
export function createSqliteModeration(
  control: Sqlite,
  data: Sqlite,
  decisions: Decisions,
  clock: Clock,
): ReviewModeration {
  const ids = createSqliteIds(control, decisions)
  const recorder = prepareChangeRecorder(data)
  const totalsOf = prepareReviewTotals(data)
  const [incrementRevision, copyRevision] = [prepareRevisionIncrement(control), prepareRevisionCopy(control, data)]
  const [writeRecord, writeEvent] = [createRecordWriter(control), createEventWriter(control)]
  const rows = storedReviews(data)
  const known = control.prepare<[Id], 1>('SELECT 1 FROM record_ids WHERE kind = 2 AND id = ?').pluck()

  const inStore = <A, T>(work: (input: A, step: Step) => T) =>
    data.transaction((input: A): T => {
      const atMs = clock.nowMs()
      const changes = recorder(atMs)
      const step = { atMs, changes, totals: totalsOf(atMs, changes) }
      const result = work(input, step)
      step.totals.flush()
      changes.flush()
      copyRevision()
      return result
    }).immediate
  const decide = <T>(work: () => T): T => {
    const decideAll = () => {
      incrementRevision()
      return work()
    }
    return control.transaction(decideAll).immediate()
  }

  const hide = inStore(
    ({ id, record, reason }: Decision & { readonly reason: string | undefined }, { atMs, changes, totals }) => {
      const before = decisions.findState(id)
      if (before === 'erased') return 'erased'
      const row = rows.shown(id)
      if (!row) return before === 'hidden' ? 'unchanged' : 'unknown'
      decide(() => {
        decisions.hide(id, atMs, reason)
        writeRecord(record)
      })
      rows.hide(id)
      totals.count(toReview(data, row), -1)
      changes.removed('review', id, 'removed')
      return 'hidden'
    },
  )

  const show = inStore(({ id, record }: Decision, { changes, totals }) => {
    const before = decisions.findState(id)
    if (before === 'erased') return 'erased'
    if (before === undefined) return rows.shown(id) ? 'unchanged' : 'unknown'
    const row = rows.hidden(id)
    decide(() => {
      decisions.clearState(id)
      writeRecord(record)
    })
    if (!row) return 'removed'
    rows.show(id)
    totals.count(toReview(data, row), 1)
    changes.upserted('review', id)
    return 'shown'
  })

  const eraseOne = (id: Id, { atMs, changes, totals }: Step): { row: FullRow | undefined; changed: boolean } => {
    const shown = rows.shown(id)
    const row = shown ?? rows.hidden(id)
    const decided = decisions.findState(id) === 'erased'
    if (!decided) {
      decisions.erase(id, atMs)
      const { source, sourceId } = ids.release('review', id) ?? {}
      if (source !== undefined && sourceId !== undefined) decisions.eraseKey(source, sourceId, atMs)
    }
    if (row || !decided) changes.removed('review', id, 'erased')
    if (shown) totals.count(toReview(data, shown), -1)
    rows.remove(id)
    return { row, changed: row !== undefined || !decided }
  }

  /** Erases reviews, and calls `onChange` if one of them was not erased before. */
  const eraseAll = (reviewIds: readonly Id[], step: Step, onChange: () => void): Erased => {
    const erased = reviewIds.map(id => eraseOne(id, step))
    const erasedRows = erased.flatMap(({ row }) => row ?? [])
    requestCleanup(control, 'truncate', step.atMs)
    if (erased.some(({ changed }) => changed)) onChange()
    return {
      ids: reviewIds,
      removed: erasedRows.length,
      texts: erasedRows.flatMap(({ record, user_key: user }) => [record, user ?? '']),
    }
  }

  const erase = inStore(({ id, record }: Decision, step) => {
    if (!known.get(id) && !rows.shown(id)) return undefined
    return decide(() => eraseAll([id], step, () => writeRecord(record)))
  })

  const eraseIds = inStore(({ reviewIds, onChange }: { reviewIds: readonly Id[]; onChange: () => void }, step) =>
    decide(() => eraseAll(reviewIds, step, onChange)),
  )
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
    const reviewIds = rows.ofUser(userKey)
    const onChange = () => {
      if (!isNew) writeRecord(record)
      for (const event of eventsOf(reviewIds)) writeEvent(event)
    }
    return eraseIds({ reviewIds, onChange })
  }

  return {
    hide: async (id, record, reason) => hide({ id, record, reason }),
    show: async (id, record) => show({ id, record }),
    erase: async (id, record) => erase({ id, record }),
    eraseUser: async (userKey, eventsOf, record) => eraseUser(userKey, eventsOf, record),
    isErased: async (source, sourceId) => decisions.isErasedKey(source, sourceId),
  }
}

function storedReviews(data: Sqlite) {
  const from = (table: string) =>
    data.prepare<[Id], FullRow>(`SELECT ${columns} FROM ${table} WHERE id = ?`).safeIntegers()
  const move = (to: string, table: string) =>
    data.prepare<[Id]>(`INSERT INTO ${to} (${columns}) SELECT ${columns} FROM ${table} WHERE id = ?`)
  const remove = (table: string) => data.prepare<[Id]>(`DELETE FROM ${table} WHERE id = ?`)
  const [shown, hidden] = [from('reviews'), from('hidden_reviews')]
  const [toHidden, toShown] = [move('hidden_reviews', 'reviews'), move('reviews', 'hidden_reviews')]
  const [removeShown, removeHidden] = [remove('reviews'), remove('hidden_reviews')]
  const ofUser = data
    .prepare<[{ user: string }], Id>(
      'SELECT id FROM reviews WHERE user_key = @user UNION SELECT id FROM hidden_reviews WHERE user_key = @user',
    )
    .pluck()
    .safeIntegers()
  return {
    shown: (id: Id) => shown.get(id),
    hidden: (id: Id) => hidden.get(id),
    ofUser: (user: string) => ofUser.all({ user }),
    hide: (id: Id) => {
      toHidden.run(id)
      removeShown.run(id)
    },
    show: (id: Id) => {
      toShown.run(id)
      removeHidden.run(id)
    },
    remove: (id: Id) => {
      removeShown.run(id)
      removeHidden.run(id)
    },
  }
}
