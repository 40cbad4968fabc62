import { LRUCache } from 'lru-cache'
import type { DataWriter } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationRef, LocationWrite, WriteOutcome } from '../../domain/record-write.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import type { Batch } from '../rows/batch.ts'
import type { Decisions } from '../rows/decision-rules.ts'
import { withoutErased } from '../rows/kept-photos.ts'
import { createLocationWriter } from '../rows/location-rules.ts'
import { createReviewWriter } from '../rows/review-rules.ts'
import { createSeenIds } from '../seen-ids.ts'
import { prepareChangeRecorder } from './change-log.ts'
import { createSqliteIds } from './ids.ts'
import { createSqliteLocationRows } from './location-rows.ts'
import { createMissingFinder } from './missing.ts'
import { createSqliteOverrides } from './overrides.ts'
import { createSqliteReviewRows } from './review-rows.ts'
import { prepareReviewTotals } from './review-totals.ts'
import { prepareRevisionCopy } from './revision.ts'

/** Maximum number of places whose ids are cached, about 200 bytes each. */
const cachedPlaces = 200_000

/** Dependencies of a writer, which closes both connections. */
export interface WriterParts {
  readonly control: Sqlite
  readonly data: Sqlite
  readonly decisions: Decisions
  readonly clock: Clock
  /** Rolls back each batch of `data`; `control` is a private copy. */
  readonly dryRun: boolean
}

/**
 * Opens a writer of locations and reviews. Ids are assigned in control.sqlite before the batch is stored in
 * data.sqlite: after a kill between the two, the assigned ids are unused until the next run finds them again.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the statements it prepares once.
export function createSqliteWriter({ control, data, decisions, clock, dryRun }: WriterParts): DataWriter {
  const ids = createSqliteIds(control, decisions)
  const recorder = prepareChangeRecorder(data)
  const totals = prepareReviewTotals(data)
  const copyRevision = prepareRevisionCopy(control, data)
  const overrides = createSqliteOverrides(control)
  const present = data
    .prepare<[{ id: Id }], Id>(
      'SELECT id FROM locations WHERE id = coalesce((SELECT to_id FROM merges WHERE from_id = @id), @id)',
    )
    .pluck()
    .safeIntegers()

  const locationWriter = createLocationWriter(createSqliteLocationRows(data), overrides)
  const writeLocation = (write: LocationWrite, batch: Batch) =>
    locationWriter.write(batch.hasDecisions ? withoutErased(write, decisions) : write, batch)
  const writeReview = createReviewWriter(createSqliteReviewRows(data), decisions)

  const inBatch = <W>(write: (item: W, batch: Batch) => WriteOutcome) =>
    data.transaction((items: readonly W[]) => {
      const atMs = clock.nowMs()
      const changes = recorder(atMs)
      const batch = {
        atMs,
        changes,
        totals: totals(atMs, changes),
        hasDecisions: decisions.exist(),
        hasOverrides: overrides.exist(),
      }
      const outcomes = items.map(item => write(item, batch))
      batch.totals.flush()
      changes.flush()
      copyRevision()
      return outcomes
    }).immediate
  const rolledBack =
    <A, R>(work: (argument: A) => R) =>
    (argument: A): R => {
      data.exec('BEGIN IMMEDIATE')
      try {
        return work(argument)
      } finally {
        data.exec('ROLLBACK')
      }
    }
  const inTransaction = dryRun ? rolledBack : <F>(work: F) => work
  const locations = inTransaction(inBatch(writeLocation))
  const reviews = inTransaction(inBatch(writeReview))

  // Most reviews belong to few places. The import lock keeps other writers from adding or removing places. Bounded by
  // size, because with `max` the cache would allocate memory for all of its entries.
  const places = new LRUCache<string, Id>({ maxSize: cachedPlaces, sizeCalculation: () => 1 })
  const findLocation = (ref: LocationRef): Id | undefined => {
    const name = 'id' in ref ? String(ref.id) : `${ref.source.length} ${ref.source}${ref.sourceId}`
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
      places.clear()
      return locations(batch)
    },
    writeReviews: async batch => reviews(batch),
    openSeenIds: async () => createSeenIds(),
    openMissing: createMissingFinder(control, data),
    close: async () => {
      data.close()
      control.close()
    },
  }
}
