import type { TopLevelCategory } from '../../domain/category.ts'
import { externalKeysOf } from '../../domain/external-id.ts'
import type { Id } from '../../domain/id.ts'
import type { Location, ScopeFacts } from '../../domain/location.ts'
import type { PlaceRecord } from '../../domain/override.ts'
import type { LocationWrite, WriteOutcome } from '../../domain/record-write.ts'
import type { JsonColumns } from '../sql/database.ts'
import type { Batch } from './batch.ts'
import type { StoredOverrides } from './override-rules.ts'
import { type ReviewRow, toReview } from './review-row.ts'

/** The columns of a stored location that imports write. */
export interface PlaceRow {
  readonly source: string
  readonly country: string | null
  readonly category: string
  readonly record: string
}

/** The stored locations, merges and reviews, as the rules read and write them. */
export interface LocationRows extends JsonColumns {
  get(id: Id): PlaceRow | undefined
  put(id: Id, atMs: number, row: PlaceRow): void
  /** Returns false if the location was not stored. */
  remove(id: Id): boolean
  survivorOf(id: Id): Id | undefined
  /** Merges a location, and those that were merged into it before; `keys` lead to the survivor. */
  merge(id: Id, into: Id, keys: readonly string[]): void
  /** Returns false if the location was not merged. */
  unmerge(id: Id): boolean
  /** Returns the reviews of a location without the hidden ones. */
  reviewsOf(id: Id): readonly ReviewRow[]
  /** Removes all reviews of a location. */
  removeReviews(id: Id): void
  /** Moves all reviews of a location. */
  moveReviews(from: Id, to: Id): void
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
export function createLocationWriter(rows: LocationRows, overrides: StoredOverrides): LocationWriter {
  const writePlain = (write: LocationWrite, batch: Batch): WriteOutcome => {
    if (write.op === 'put') return store(rows, write.id, write.location, write, batch)
    return write.op === 'delete' ? removeLocation(rows, write.id, batch) : mergeInto(rows, write.id, write.into, batch)
  }

  /** Writes a location that an operator has merged: the import changes only what `lift` restores. */
  const writeMerged = (write: LocationWrite, into: Id, batch: Batch): WriteOutcome => {
    if (write.op !== 'merge') overrides.keepPlace(write.id, write.op === 'put' ? placeOf(write) : undefined)
    const isMerged = rows.survivorOf(write.id) === (rows.survivorOf(into) ?? into)
    if (!isMerged) return mergeInto(rows, write.id, into, batch, write.op === 'put' ? write.location : undefined)
    return write.op === 'put' ? 'merged' : 'unchanged'
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
      return store(rows, write.id, location, facts, batch)
    },
    put: (id, { location, facts }, batch) => void store(rows, id, location, facts, batch),
    merge: (id, into, batch) => mergeInto(rows, id, into, batch),
    remove: (id, batch) => removeLocation(rows, id, batch),
    unmerge: (id, batch) => {
      if (rows.unmerge(id)) batch.changes.removed('location', id, 'removed')
    },
    survivorOf: id => rows.survivorOf(id),
    read: id => {
      const row = rows.get(id)
      return row && readPlace(rows, row)
    },
  }
}

function store(rows: LocationRows, id: Id, location: Location, facts: ScopeFacts, batch: Batch): WriteOutcome {
  const record = JSON.stringify(location)
  const before = rows.get(id)
  if (before?.record === record && before.source === facts.source) return 'unchanged'
  rows.unmerge(id)
  rows.put(id, batch.atMs, { source: facts.source, country: facts.country ?? null, category: facts.category, record })
  batch.changes.upserted('location', id)
  return before ? 'changed' : 'added'
}

function removeLocation(rows: LocationRows, id: Id, batch: Batch): WriteOutcome {
  const wasMerged = rows.unmerge(id)
  const existed = rows.remove(id)
  if (!wasMerged && !existed) return 'unchanged'
  for (const row of rows.reviewsOf(id)) {
    batch.totals.count(toReview(rows, row), -1)
    batch.changes.removed('review', row.id, 'removed')
  }
  rows.removeReviews(id)
  batch.changes.removed('location', id, 'removed')
  return 'removed'
}

/** Merges a location; `imported` is its record if it is not stored. */
function mergeInto(rows: LocationRows, id: Id, target: Id, batch: Batch, imported?: Location): WriteOutcome {
  const into = rows.survivorOf(target) ?? target
  if (into === id) return 'merge_cycle'
  const before = rows.get(id)
  const location = before ? rows.parseJson<Location>(before.record) : imported
  const existed = rows.remove(id)
  if (!existed && rows.survivorOf(id) === into) return 'unchanged'
  for (const row of rows.reviewsOf(id)) {
    const review = toReview(rows, row)
    batch.totals.count(review, -1)
    batch.totals.count({ ...review, locationId: into }, 1)
    batch.changes.upserted('review', row.id)
  }
  rows.moveReviews(id, into)
  rows.merge(id, into, location ? externalKeysOf(location) : [])
  batch.changes.merged(id, into)
  return 'changed'
}

const placeOf = ({ location, source, country, category }: LocationWrite & { op: 'put' }): PlaceRecord => ({
  location,
  facts: { source, category, ...(country !== undefined && { country }) },
})

const readPlace = (rows: JsonColumns, { source, country, category, record }: PlaceRow): PlaceRecord => ({
  location: rows.parseJson<Location>(record),
  facts: { source, category: category as TopLevelCategory, ...(country !== null && { country }) },
})
