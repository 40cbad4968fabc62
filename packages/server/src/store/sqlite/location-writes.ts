import type { TopLevelCategory } from '../../domain/category.ts'
import type { Id } from '../../domain/id.ts'
import type { Location, ScopeFacts } from '../../domain/location.ts'
import type { PlaceRecord } from '../../domain/override.ts'
import type { LocationWrite, WriteOutcome } from '../../domain/record-write.ts'
import type { Sqlite } from '../connection.ts'
import type { StoredOverrides } from './overrides.ts'
import type { Batch } from './review-writes.ts'
import { type ReviewRow, toReview } from './reviews.ts'

interface StoredRow {
  readonly source: string
  readonly country: string | null
  readonly category: string
  readonly record: string
}

/** Writes locations in the transaction of a batch. */
export interface LocationWriter {
  /** Writes what an import delivers; overrides win over it. */
  write(write: LocationWrite, batch: Batch): WriteOutcome
  /** Stores a location as it is. */
  put(id: Id, record: PlaceRecord, batch: Batch): void
  merge(id: Id, into: Id, batch: Batch): WriteOutcome
  /** Removes a location and its reviews. */
  remove(id: Id, batch: Batch): WriteOutcome
  /** Ends the merge of a location, which does not exist afterwards. */
  unmerge(id: Id, batch: Batch): void
  /** Returns the location into which another was merged. */
  survivorOf(id: Id): Id | undefined
  read(id: Id): PlaceRecord | undefined
}

/** Creates the writer of locations. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the statements it prepares once.
export function createLocationWriter(data: Sqlite, overrides: StoredOverrides): LocationWriter {
  const survivorOf = data.prepare<[Id], Id>('SELECT to_id FROM merges WHERE from_id = ?').pluck().safeIntegers()
  const get = data.prepare<[Id], StoredRow>('SELECT source, country, category, record FROM locations WHERE id = ?')
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

  const writePlain = (write: LocationWrite, batch: Batch): WriteOutcome => {
    if (write.op === 'put') return store(write.id, write.location, write, batch)
    return write.op === 'delete' ? removeLocation(write.id, batch) : mergeInto(write.id, write.into, batch)
  }

  /** Writes a location that an operator has merged: the import changes only what `lift` restores. */
  const writeMerged = (write: LocationWrite, into: Id, batch: Batch): WriteOutcome => {
    if (write.op !== 'merge') overrides.keepPlace(write.id, write.op === 'put' ? placeOf(write) : undefined)
    const isMerged = survivorOf.get(write.id) === (survivorOf.get(into) ?? into)
    return isMerged ? 'unchanged' : mergeInto(write.id, into, batch)
  }

  /** Writes a location that an operator has removed: the import changes only what `lift` restores. */
  const writeRemoved = (write: LocationWrite, batch: Batch): WriteOutcome => {
    if (write.op === 'merge') return writePlain(write, batch)
    overrides.keepPlace(write.id, write.op === 'put' ? placeOf(write) : undefined)
    return 'unchanged'
  }

  return {
    write: (write, batch) => {
      if (!batch.hasOverrides) return writePlain(write, batch)
      const into = overrides.survivorOf(write.id)
      if (into !== undefined) return writeMerged(write, into, batch)
      if (overrides.isRemoved(write.id)) return writeRemoved(write, batch)
      if (write.op !== 'put') return writePlain(write, batch)
      const { location, facts } = overrides.apply(write.id, placeOf(write))
      return store(write.id, location, facts, batch)
    },
    put: (id, { location, facts }, batch) => void store(id, location, facts, batch),
    merge: mergeInto,
    remove: removeLocation,
    unmerge: (id, batch) => {
      if (unmerge.run(id).changes > 0) batch.changes.removed('location', id, 'removed')
    },
    survivorOf: id => survivorOf.get(id),
    read: id => {
      const row = get.get(id)
      return row && readPlace(data, row)
    },
  }
}

const placeOf = ({ location, source, country, category }: LocationWrite & { op: 'put' }): PlaceRecord => ({
  location,
  facts: { source, category, ...(country !== undefined && { country }) },
})

const readPlace = (data: Sqlite, { source, country, category, record }: StoredRow): PlaceRecord => ({
  location: data.parseJson<Location>(record),
  facts: { source, category: category as TopLevelCategory, ...(country !== null && { country }) },
})
