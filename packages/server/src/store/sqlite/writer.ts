import type { Id } from '../../domain/id.ts'
import type { Location, ScopeFacts } from '../../domain/location.ts'
import type { Review, ReviewBody } from '../../domain/review.ts'
import type { DataWriter, LocationRef, LocationWrite, ReviewWrite, WriteOutcome } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { type ChangeRecorder, sqliteChangeRecorder } from './change-log.ts'
import { undatedMs } from './codes.ts'
import { sqliteIds } from './ids.ts'
import type { Sqlite } from './open.ts'
import { sqliteReviewTotals, type TotalsBatch } from './review-totals.ts'
import { type ReviewRow, reviewOf } from './reviews.ts'
import { sqliteSeenIds } from './seen-ids.ts'

/** What one batch works with: a moment, and what it gathers. */
interface Batch {
  readonly atMs: number
  readonly changes: ChangeRecorder
  readonly totals: TotalsBatch
}

/**
 * Writes locations and reviews. Ids are given in control.sqlite before the batch is stored in data.sqlite: killed in
 * between, an id is given that nothing uses yet, and the next run finds it again.
 */
export function sqliteWriter(control: Sqlite, data: Sqlite, clock: Clock): DataWriter {
  const ids = sqliteIds(control)
  const recorder = sqliteChangeRecorder(data)
  const totals = sqliteReviewTotals(data)
  const survivorOf = data.prepare<[Id], Id>('SELECT to_id FROM merges WHERE from_id = ?').pluck().safeIntegers()
  const exists = data.prepare<[Id], number>('SELECT 1 FROM locations WHERE id = ?').pluck()

  const writeLocation = locationWrites(data, survivorOf)
  const writeReview = reviewWrites(data)

  const inBatch = <W>(write: (item: W, batch: Batch) => WriteOutcome) =>
    data.transaction((items: readonly W[]) => {
      const atMs = clock.nowMs()
      const changes = recorder(atMs)
      const batch = { atMs, changes, totals: totals(atMs, changes) }
      const outcomes = items.map(item => write(item, batch))
      batch.totals.flush()
      return outcomes
    }).immediate
  const locations = inBatch(writeLocation)
  const reviews = inBatch(writeReview)

  const findLocation = (ref: LocationRef): Id | undefined => {
    const id = 'id' in ref ? ref.id : ids.find('location', ref.source, ref.sourceId)
    if (id === undefined) return undefined
    const survivor = survivorOf.get(id) ?? id
    return exists.get(survivor) === undefined ? undefined : survivor
  }

  return {
    assignIds: async (kind, keys) => ids.assign(kind, keys),
    findIds: async (kind, keys) => keys.map(key => key.id ?? ids.find(kind, key.source, key.sourceId!)),
    findLocations: async refs => refs.map(findLocation),
    writeLocations: async batch => locations(batch),
    writeReviews: async batch => reviews(batch),
    seenIds: sqliteSeenIds,
    close: () => {
      data.close()
      control.close()
    },
  }
}

function locationWrites(data: Sqlite, survivorOf: { get(id: Id): Id | undefined }) {
  const get = data.prepare<[Id], { source: string; record: string }>(
    'SELECT source, record FROM locations WHERE id = ?',
  )
  const put = data.prepare(
    'INSERT OR REPLACE INTO locations (id, source, country, category, updated_ms, record) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const remove = data.prepare('DELETE FROM locations WHERE id = ?')
  const reviewsOf = data.prepare<[Id], ReviewRow>('SELECT * FROM reviews WHERE location_id = ?').safeIntegers()
  const removeReviews = data.prepare('DELETE FROM reviews WHERE location_id = ?')
  const moveReview = data.prepare('UPDATE reviews SET location_id = ? WHERE id = ?')
  const unmerge = data.prepare('DELETE FROM merges WHERE from_id = ?')
  const merge = data.prepare('INSERT OR REPLACE INTO merges (from_id, to_id) VALUES (?, ?)')
  const moveMerges = data.prepare('UPDATE merges SET to_id = ? WHERE to_id = ?')

  const store = (id: Id, location: Location, facts: ScopeFacts, batch: Batch): WriteOutcome => {
    const record = JSON.stringify(location)
    const before = get.get(id)
    if (before?.record === record && before.source === facts.source) return 'unchanged'
    unmerge.run(id)
    put.run(id, facts.source, facts.country ?? null, facts.category, batch.atMs, record)
    batch.changes.upserted('location', id)
    return before ? 'changed' : 'added'
  }

  const drop = (id: Id, batch: Batch): WriteOutcome => {
    const wasMerged = unmerge.run(id).changes > 0
    const existed = remove.run(id).changes > 0
    if (!wasMerged && !existed) return 'unchanged'
    for (const row of reviewsOf.all(id)) {
      batch.totals.count(reviewOf(row), -1)
      batch.changes.removed('review', row.id, 'removed')
    }
    removeReviews.run(id)
    batch.changes.removed('location', id, 'removed')
    return 'removed'
  }

  const mergeInto = (id: Id, asked: Id, batch: Batch): WriteOutcome => {
    const into = survivorOf.get(asked) ?? asked
    if (into === id) return 'merge_cycle'
    const existed = remove.run(id).changes > 0
    if (!existed && survivorOf.get(id) === into) return 'unchanged'
    for (const row of reviewsOf.all(id)) {
      const review = reviewOf(row)
      batch.totals.count(review, -1)
      batch.totals.count({ ...review, locationId: into }, 1)
      moveReview.run(into, row.id)
      batch.changes.upserted('review', row.id)
    }
    moveMerges.run(into, id)
    merge.run(id, into)
    batch.changes.merged(id, into)
    return 'changed'
  }

  return (write: LocationWrite, batch: Batch): WriteOutcome => {
    if (write.op === 'put') return store(write.id, write.location, write, batch)
    return write.op === 'delete' ? drop(write.id, batch) : mergeInto(write.id, write.into, batch)
  }
}

function reviewWrites(data: Sqlite) {
  const get = data
    .prepare<[Id], ReviewRow & { user_key: string | null }>('SELECT * FROM reviews WHERE id = ?')
    .safeIntegers()
  const insert = data.prepare(
    `INSERT INTO reviews (location_id, published_ms, rating, language, trip_type, user_key, record, id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = data.prepare(
    `UPDATE reviews SET location_id = ?, published_ms = ?, rating = ?, language = ?, trip_type = ?, user_key = ?,
     record = ? WHERE id = ?`,
  )
  const remove = data.prepare('DELETE FROM reviews WHERE id = ?')

  const store = (review: Review, batch: Batch): WriteOutcome => {
    const values = columnsOf(review)
    const before = get.get(review.id)
    if (!before) {
      insert.run(...values, review.id)
    } else {
      if (sameRow(before, values)) return 'unchanged'
      batch.totals.count(reviewOf(before), -1)
      update.run(...values, review.id)
    }
    batch.totals.count(review, 1)
    batch.changes.upserted('review', review.id)
    return before ? 'changed' : 'added'
  }

  const drop = (id: Id, batch: Batch): WriteOutcome => {
    const before = get.get(id)
    if (!before) return 'unchanged'
    remove.run(id)
    batch.totals.count(reviewOf(before), -1)
    batch.changes.removed('review', id, 'removed')
    return 'removed'
  }

  return (write: ReviewWrite, batch: Batch): WriteOutcome =>
    write.op === 'put' ? store(write.review, batch) : drop(write.id, batch)
}

type ReviewColumns = ReturnType<typeof columnsOf>

function columnsOf(review: Review) {
  const { id: _, locationId, publishedMs, rating, language, tripType, userKey, ...body } = review
  return [
    locationId,
    BigInt(publishedMs ?? undatedMs),
    BigInt(Math.round((rating ?? 0) * 100)),
    language ?? null,
    tripType ?? null,
    userKey ?? null,
    JSON.stringify(body satisfies ReviewBody),
  ] as const
}

function sameRow(row: ReviewRow & { user_key: string | null }, values: ReviewColumns): boolean {
  const now = [row.location_id, row.published_ms, row.rating, row.language, row.trip_type, row.user_key, row.record]
  return now.every((value, i) => value === values[i])
}
