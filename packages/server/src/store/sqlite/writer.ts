import { LRUCache } from 'lru-cache'
import type { Id } from '../../domain/id.ts'
import type { Location, ScopeFacts } from '../../domain/location.ts'
import type { LocationRef, LocationWrite, WriteOutcome } from '../../domain/record-write.ts'
import type { DataWriter } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import { prepareChangeRecorder } from './change-log.ts'
import type { Decisions } from './decisions.ts'
import { createSqliteIds } from './ids.ts'
import { createMissingFinder } from './missing.ts'
import { prepareReviewTotals } from './review-totals.ts'
import { type Batch, createReviewWriter } from './review-writes.ts'
import { type ReviewRow, toReview } from './reviews.ts'
import { prepareRevisionCopy } from './revision.ts'
import { createSeenIds } from './seen-ids.ts'

/** Maximum number of places whose ids are cached, about 200 bytes each. */
const cachedPlaces = 200_000

/** Dependencies of a writer, which closes both connections. */
export interface WriterParts {
  readonly control: Sqlite
  readonly data: Sqlite
  readonly decisions: Decisions
  readonly clock: Clock
  /** Rolls back all writes to `data` on `close`. */
  readonly dryRun: boolean
}

/**
 * Opens a writer of locations and reviews. Ids are assigned in control.sqlite before the batch is stored in
 * data.sqlite: after a kill between the two, the assigned ids are unused until the next run finds them again.
 */
export function createSqliteWriter({ control, data, decisions, clock, dryRun }: WriterParts): DataWriter {
  if (dryRun) data.exec('BEGIN IMMEDIATE')
  const ids = createSqliteIds(control, decisions)
  const recorder = prepareChangeRecorder(data)
  const totals = prepareReviewTotals(data)
  const copyRevision = prepareRevisionCopy(control, data)
  const survivorOf = data.prepare<[Id], Id>('SELECT to_id FROM merges WHERE from_id = ?').pluck().safeIntegers()
  const present = data
    .prepare<[{ id: Id }], Id>(
      'SELECT id FROM locations WHERE id = coalesce((SELECT to_id FROM merges WHERE from_id = @id), @id)',
    )
    .pluck()
    .safeIntegers()

  const writeLocation = createLocationWriter(data, survivorOf)
  const writeReview = createReviewWriter(data, decisions)

  const inBatch = <W>(write: (item: W, batch: Batch) => WriteOutcome) =>
    data.transaction((items: readonly W[]) => {
      const atMs = clock.nowMs()
      const changes = recorder(atMs)
      const batch = { atMs, changes, totals: totals(atMs, changes), hasDecisions: decisions.exist() }
      const outcomes = items.map(item => write(item, batch))
      batch.totals.flush()
      changes.flush()
      copyRevision()
      return outcomes
    }).immediate
  const locations = inBatch(writeLocation)
  const reviews = inBatch(writeReview)

  // Most reviews belong to few places. The import lock keeps other writers from adding or removing places. The cache
  // allocates memory for all of its entries (15 ms), which an import without reviews does not need.
  let places: LRUCache<string, Id> | undefined
  const findLocation = (ref: LocationRef): Id | undefined => {
    const name = 'id' in ref ? String(ref.id) : `${ref.source.length} ${ref.source}${ref.sourceId}`
    places ??= new LRUCache({ max: cachedPlaces })
    const known = places.get(name)
    if (known !== undefined) return known
    const id = 'id' in ref ? ref.id : ids.find('location', ref.source, ref.sourceId)
    const found = id === undefined ? undefined : present.get({ id })
    if (found !== undefined) places.set(name, found)
    return found
  }

  return {
    assignIds: async (kind, keys) => ids.assign(kind, keys),
    findIds: async (kind, keys) => keys.map(key => key.id ?? ids.find(kind, key.source, key.sourceId!)),
    findLocations: async refs => refs.map(findLocation),
    writeLocations: async batch => {
      places?.clear()
      return locations(batch)
    },
    writeReviews: async batch => reviews(batch),
    openSeenIds: async () => createSeenIds(),
    openMissing: createMissingFinder(control, data),
    close: async () => {
      if (dryRun) data.exec('ROLLBACK')
      data.close()
      control.close()
    },
  }
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the statements it prepares once.
function createLocationWriter(data: Sqlite, survivorOf: { get(id: Id): Id | undefined }) {
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
  const removeHidden = data.prepare('DELETE FROM hidden_reviews WHERE location_id = ?')
  const moveHidden = data.prepare('UPDATE hidden_reviews SET location_id = ? WHERE location_id = ?')
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

  const removeLocation = (id: Id, batch: Batch): WriteOutcome => {
    const wasMerged = unmerge.run(id).changes > 0
    const existed = remove.run(id).changes > 0
    if (!wasMerged && !existed) return 'unchanged'
    for (const row of reviewsOf.all(id)) {
      batch.totals.count(toReview(data, row), -1)
      batch.changes.removed('review', row.id, 'removed')
    }
    removeReviews.run(id)
    removeHidden.run(id)
    batch.changes.removed('location', id, 'removed')
    return 'removed'
  }

  const mergeInto = (id: Id, target: Id, batch: Batch): WriteOutcome => {
    const into = survivorOf.get(target) ?? target
    if (into === id) return 'merge_cycle'
    const existed = remove.run(id).changes > 0
    if (!existed && survivorOf.get(id) === into) return 'unchanged'
    for (const row of reviewsOf.all(id)) {
      const review = toReview(data, row)
      batch.totals.count(review, -1)
      batch.totals.count({ ...review, locationId: into }, 1)
      moveReview.run(into, row.id)
      batch.changes.upserted('review', row.id)
    }
    moveHidden.run(into, id)
    moveMerges.run(into, id)
    merge.run(id, into)
    batch.changes.merged(id, into)
    return 'changed'
  }

  return (write: LocationWrite, batch: Batch): WriteOutcome => {
    if (write.op === 'put') return store(write.id, write.location, write, batch)
    return write.op === 'delete' ? removeLocation(write.id, batch) : mergeInto(write.id, write.into, batch)
  }
}
