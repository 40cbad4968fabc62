import type { Erased } from '../../domain/erased.ts'
import type { Id } from '../../domain/id.ts'
import type { ReviewModeration } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { type ChangeRecorder, prepareChangeRecorder } from './change-log.ts'
import type { Decisions } from './decisions.ts'
import { createSqliteIds } from './ids.ts'
import { prepareReviewTotals, type TotalsBatch } from './review-totals.ts'
import { type ReviewRow, toReview } from './reviews.ts'
import type { Sqlite } from './sqlite.ts'
import { requestCleanup } from './upkeep.ts'

type FullRow = ReviewRow & { user_key: string | null }

interface Step {
  readonly atMs: number
  readonly changes: ChangeRecorder
  readonly totals: TotalsBatch
}

const columns = 'id, location_id, published_ms, rating, language, trip_type, user_key, record'

/**
 * Moderation over both stores. A decision is committed to control.sqlite while the write lock of data.sqlite is held: a
 * batch of an import is entirely before it, so that its rows are found here, or after it, and sees the decision.
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
  const rows = storedReviews(data)
  const known = control.prepare<[Id], 1>('SELECT 1 FROM record_ids WHERE kind = 2 AND id = ?').pluck()

  const inStore = <A, T>(work: (asked: A, step: Step) => T) =>
    data.transaction((asked: A): T => {
      const atMs = clock.nowMs()
      const changes = recorder(atMs)
      const step = { atMs, changes, totals: totalsOf(atMs, changes) }
      const done = work(asked, step)
      step.totals.flush()
      changes.flush()
      return done
    }).immediate
  const decide = <T>(work: () => T): T => control.transaction(work).immediate()

  const hide = inStore((id: Id, { atMs, changes, totals }) => {
    const before = decisions.ofReview(id)
    if (before === 'erased') return 'erased'
    const row = rows.shown(id)
    if (!row) return before === 'hidden' ? 'unchanged' : 'unknown'
    decide(() => decisions.set(id, 'hidden', atMs))
    rows.hide(id)
    totals.count(toReview(row), -1)
    changes.removed('review', id, 'removed')
    return 'hidden'
  })

  const show = inStore((id: Id, { changes, totals }) => {
    const before = decisions.ofReview(id)
    if (before === 'erased') return 'erased'
    if (before === undefined) return rows.shown(id) ? 'unchanged' : 'unknown'
    const row = rows.hidden(id)
    decide(() => decisions.unset(id))
    if (!row) return 'removed'
    rows.show(id)
    totals.count(toReview(row), 1)
    changes.upserted('review', id)
    return 'shown'
  })

  const eraseOne = (id: Id, { atMs, changes, totals }: Step): FullRow | undefined => {
    const shown = rows.shown(id)
    const row = shown ?? rows.hidden(id)
    const decided = decisions.ofReview(id) === 'erased'
    if (!decided) {
      decisions.set(id, 'erased', atMs)
      const { source, sourceId } = ids.release('review', id) ?? {}
      if (source !== undefined && sourceId !== undefined) decisions.eraseKey(source, sourceId, atMs)
    }
    if (row || !decided) changes.removed('review', id, 'erased')
    if (shown) totals.count(toReview(shown), -1)
    rows.remove(id)
    return row
  }

  const eraseAll = (asked: readonly Id[], step: Step): Erased => {
    const gone = asked.flatMap(id => eraseOne(id, step) ?? [])
    requestCleanup(control, 'truncate', step.atMs)
    return {
      ids: asked,
      removed: gone.length,
      texts: gone.flatMap(({ record, user_key: user }) => [record, user ?? '']),
    }
  }

  const erase = inStore((id: Id, step) => {
    if (!known.get(id) && !rows.shown(id)) return undefined
    return decide(() => eraseAll([id], step))
  })

  const eraseIds = inStore((asked: readonly Id[], step) => decide(() => eraseAll(asked, step)))
  const batchesEnded = data.transaction(() => {}).immediate

  /** Reads all reviews, because users have no index. The user is blocked first, so that no review is added meanwhile. */
  const eraseUser = (userKey: string): Erased => {
    decide(() => decisions.eraseUser(userKey, clock.nowMs()))
    batchesEnded()
    return eraseIds(rows.ofUser(userKey))
  }

  return {
    hide: async id => hide(id),
    show: async id => show(id),
    erase: async id => erase(id),
    eraseUser: async userKey => eraseUser(userKey),
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
