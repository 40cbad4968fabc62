import type { DataWriter, SeenIds } from '../domain/data-stores.ts'
import type { Id } from '../domain/id.ts'
import type { Rejection } from '../domain/import.ts'
import type {
  ExternalKey,
  IdAssignment,
  LocationWrite,
  RecordKind,
  ReviewWrite,
  WriteOutcome,
} from '../domain/record-write.ts'
import type { LocationRecord, MergeTarget } from './normalise-location.ts'
import type { ReviewRecord } from './normalise-review.ts'

/** A normalised row to be stored. */
export interface ImportItem<R> {
  readonly line: number
  readonly text: () => string
  readonly record: R
}

/** Outcome of one row; `finish` returns the final outcome of a deferred row. */
export type RowOutcome = 'added' | 'changed' | 'unchanged' | 'removed' | 'merged' | 'deferred' | Rejection

/** Stores batches of one kind of record. */
export interface BatchImporter<R> {
  /** Stores a batch and returns the outcomes in the order of the items. */
  store(items: readonly ImportItem<R>[]): Promise<RowOutcome[]>
  /** Stores the deferred items and returns their outcomes. */
  finish(): Promise<{ readonly item: ImportItem<R>; readonly outcome: RowOutcome }[]>
}

type Resolved<R> = { readonly item: ImportItem<R>; readonly id: Id } | { readonly outcome: RowOutcome }

/**
 * Finds the id of each item. Assigns ids to items that are put, and only looks up the ids of items that are deleted.
 * Rejects an item if an earlier one of the input has the same id.
 */
async function resolve<R extends LocationRecord | ReviewRecord>(
  writer: DataWriter,
  kind: RecordKind,
  seen: SeenIds,
  items: readonly ImportItem<R>[],
): Promise<Resolved<R>[]> {
  const isPut = (item: ImportItem<R>) => item.record.op === 'put'
  const keysOf = (list: readonly ImportItem<R>[]): ExternalKey[] => list.map(item => item.record.key)
  const assigned = await writer.assignIds(kind, keysOf(items.filter(isPut)))
  const found = await writer.findIds(kind, keysOf(items.filter(item => !isPut(item))))
  let nextAssigned = 0
  let nextFound = 0
  const ids = items.map((item): IdAssignment | { id: undefined } =>
    isPut(item) ? assigned[nextAssigned++]! : { id: found[nextFound++] },
  )
  const isFirst = await seen.add(
    ids.flatMap(assignment => ('id' in assignment && assignment.id !== undefined ? [assignment.id] : [])),
  )
  let nextSeen = 0
  return items.map((item, i) => {
    const assignment = ids[i]!
    if (!('id' in assignment)) return { outcome: conflictRejection(assignment) }
    const { id } = assignment
    // Deleting a record that was never stored changes nothing.
    if (id === undefined) return { outcome: 'unchanged' }
    return isFirst[nextSeen++] ? { item, id } : { outcome: duplicateRejection(id) }
  })
}

/** Returns the rejection of a record that cannot get an id. */
function conflictRejection(found: Exclude<IdAssignment, { readonly id: Id }>): Rejection {
  if (found.conflict === 'erased') return erased
  const detail =
    found.conflict === 'id_taken'
      ? `The id belongs to another record, ${found.heldBy}. Ids are never reused.`
      : `This source_id already has the id ${found.heldBy}; ids do not change.`
  return { reason: found.conflict, field: 'id', detail }
}

const erased: Rejection = {
  reason: 'erased',
  detail: 'The review, or every review of its user, was erased and will not be stored again.',
}

const mergeCycle: Rejection = {
  reason: 'merge_cycle',
  field: 'merged_into',
  detail: 'merged_into forms a cycle.',
}

const duplicateRejection = (id: Id): Rejection => ({
  reason: 'duplicate_in_file',
  detail: `An earlier row of this file has the same record (id ${id}). The first row is used.`,
})

/** Writes the resolved items and returns the outcomes of all items in order. */
async function writeResolved<R, W>(
  resolved: readonly Resolved<R>[],
  toWrite: (item: ImportItem<R>, id: Id) => W,
  write: (batch: readonly W[]) => Promise<WriteOutcome[]>,
): Promise<RowOutcome[]> {
  const writes = resolved.flatMap(one => ('id' in one ? [toWrite(one.item, one.id)] : []))
  const outcomes = await write(writes)
  let next = 0
  return resolved.map(one => ('id' in one ? rowOutcome(outcomes[next++]!) : one.outcome))
}

function rowOutcome(outcome: WriteOutcome): RowOutcome {
  if (outcome === 'erased') return erased
  return outcome === 'merge_cycle' ? mergeCycle : outcome
}

/**
 * Creates the importer of locations. Merges are deferred to the end, because their target may come later in the input.
 */
export function createLocationImporter(writer: DataWriter, seen: SeenIds): BatchImporter<LocationRecord> {
  const merges: ImportItem<LocationRecord>[] = []
  return {
    store: async items => {
      const immediate = items.filter(item => item.record.op !== 'merge')
      merges.push(...items.filter(item => item.record.op === 'merge'))
      const resolved = await resolve(writer, 'location', seen, immediate)
      const outcomes = await writeResolved(resolved, locationWrite, batch => writer.writeLocations(batch))
      let next = 0
      return items.map(item => (item.record.op === 'merge' ? 'deferred' : outcomes[next++]!))
    },
    finish: async () => {
      const done: { item: ImportItem<LocationRecord>; outcome: RowOutcome }[] = []
      let pendingMerges: readonly ImportItem<LocationRecord>[] = merges
      // A place may be merged into one that another row merges away (1 into 2, 2 into 3):
      // repeat until a pass merges nothing.
      for (let before = Number.POSITIVE_INFINITY; pendingMerges.length < before; ) {
        before = pendingMerges.length
        const unknown: ImportItem<LocationRecord>[] = []
        for (const item of pendingMerges) {
          const outcome = await mergeOne(writer, seen, item)
          if (outcome === unknownTarget) unknown.push(item)
          else done.push({ item, outcome })
        }
        pendingMerges = unknown
      }
      return [...done, ...pendingMerges.map(item => ({ item, outcome: unknownTarget }))]
    },
  }
}

function locationWrite({ record }: ImportItem<LocationRecord>, id: Id): LocationWrite {
  return record.op === 'put' ? { op: 'put', id, location: record.location, ...record.facts } : { op: 'delete', id }
}

async function mergeOne(writer: DataWriter, seen: SeenIds, item: ImportItem<LocationRecord>): Promise<RowOutcome> {
  const target = (item.record as { into: MergeTarget }).into
  const [into] = await writer.findLocations([target])
  if (into === undefined) return unknownTarget
  const [assigned] = await writer.assignIds('location', [item.record.key])
  if (!assigned || !('id' in assigned)) return conflictRejection(assigned!)
  const [isFirst] = await seen.add([assigned.id])
  if (!isFirst) return duplicateRejection(assigned.id)
  const [outcome] = await writer.writeLocations([{ op: 'merge', id: assigned.id, into }])
  return rowOutcome(outcome!)
}

const unknownTarget: Rejection = {
  reason: 'unknown_merge_target',
  field: 'merged_into',
  detail: 'The place in merged_into is not imported.',
}

/** Creates the importer of reviews. A review gets an id only if its place is stored. */
export function createReviewImporter(writer: DataWriter, seen: SeenIds): BatchImporter<ReviewRecord> {
  return {
    store: async items => {
      const puts = items.flatMap(({ record }) => (record.op === 'put' ? [record.place] : []))
      const places = await writer.findLocations(puts)
      let nextPlace = 0
      const placeOf = new Map(
        items.flatMap(item => (item.record.op === 'put' ? [[item, places[nextPlace++]] as const] : [])),
      )
      const isStorable = (item: ImportItem<ReviewRecord>) =>
        item.record.op === 'delete' || placeOf.get(item) !== undefined
      const resolved = await resolve(writer, 'review', seen, items.filter(isStorable))
      const toWrite = (item: ImportItem<ReviewRecord>, id: Id): ReviewWrite =>
        item.record.op === 'put'
          ? { op: 'put', review: { ...item.record.review, id, locationId: placeOf.get(item)! } }
          : { op: 'delete', id }
      const outcomes = await writeResolved(resolved, toWrite, batch => writer.writeReviews(batch))
      let next = 0
      return items.map(item => (isStorable(item) ? outcomes[next++]! : unknownPlace))
    },
    finish: async () => [],
  }
}

const unknownPlace: Rejection = {
  reason: 'unknown_place',
  detail: 'The place of this review is not imported. Import the places first.',
}
