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
import type { DataWriter, SeenIds } from '../domain/stores.ts'
import type { LocationRecord, MergeTarget } from './normalise-location.ts'
import type { ReviewRecord } from './normalise-review.ts'

/** A normalised row to be stored. */
export interface Item<R> {
  readonly line: number
  readonly text: () => string
  readonly record: R
}

/** Result of one row; a deferred row gets its final outcome at the end of the input. */
export type RowOutcome = 'added' | 'changed' | 'unchanged' | 'removed' | 'deferred' | Rejection

/** Stores batches of one kind; outcomes are in the order of the items. */
export interface BatchImporter<R> {
  store(items: readonly Item<R>[]): Promise<RowOutcome[]>
  /** Stores the deferred items and returns their outcomes. */
  finish(): Promise<{ readonly item: Item<R>; readonly outcome: RowOutcome }[]>
}

type Resolved<R> = { readonly item: Item<R>; readonly id: Id } | { readonly outcome: RowOutcome }

/**
 * Finds the id of each item. Ids are assigned to items that are put and only looked up for items that are deleted;
 * the second item of an input with the same id is rejected.
 */
async function resolve<R extends LocationRecord | ReviewRecord>(
  writer: DataWriter,
  kind: RecordKind,
  seen: SeenIds,
  items: readonly Item<R>[],
): Promise<Resolved<R>[]> {
  const isPut = (item: Item<R>) => item.record.op === 'put'
  const keysOf = (list: readonly Item<R>[]): ExternalKey[] => list.map(item => item.record.key)
  const assigned = await writer.assignIds(kind, keysOf(items.filter(isPut)))
  const found = await writer.findIds(kind, keysOf(items.filter(item => !isPut(item))))
  let nextAssigned = 0
  let nextFound = 0
  const ids = items.map((item): IdAssignment | { id: undefined } =>
    isPut(item) ? assigned[nextAssigned++]! : { id: found[nextFound++] },
  )
  const isFirst = await seen.add(ids.flatMap(one => ('id' in one && one.id !== undefined ? [one.id] : [])))
  let nextSeen = 0
  return items.map((item, i) => {
    const one = ids[i]!
    if (!('id' in one)) return { outcome: conflictRejection(one) }
    // Deleting a record that was never stored changes nothing.
    if (one.id === undefined) return { outcome: 'unchanged' }
    return isFirst[nextSeen++] ? { item, id: one.id } : { outcome: duplicateRejection(one.id) }
  })
}

/** Explains why a record gets no id. */
function conflictRejection(found: Exclude<IdAssignment, { readonly id: Id }>): Rejection {
  if (found.conflict === 'erased') return erased
  const detail =
    found.conflict === 'id_taken'
      ? `id already belongs to another record, ${found.heldBy}. Ids are never reused.`
      : `id differs from the id that this source_id already has, ${found.heldBy}. Ids do not change.`
  return { reason: found.conflict, field: 'id', detail }
}

const erased: Rejection = {
  reason: 'erased',
  detail: 'The review, or every review of its user, was erased and is not stored again.',
}

const mergeCycle: Rejection = {
  reason: 'merge_cycle',
  field: 'merged_into',
  detail: 'merged_into leads back to the place itself.',
}

const duplicateRejection = (id: Id): Rejection => ({
  reason: 'duplicate_in_file',
  detail: `An earlier row of this file has the same record (id ${id}). The first row counts.`,
})

/** Writes the resolved items and returns the outcomes of all, in order. */
async function writeResolved<R, W>(
  resolved: readonly Resolved<R>[],
  toWrite: (item: Item<R>, id: Id) => W,
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

/** Creates the importer of locations. Merges wait for the end, because their target may come later in the input. */
export function locationImporter(writer: DataWriter, seen: SeenIds): BatchImporter<LocationRecord> {
  const merges: Item<LocationRecord>[] = []
  return {
    store: async items => {
      const now = items.filter(item => item.record.op !== 'merge')
      merges.push(...items.filter(item => item.record.op === 'merge'))
      const resolved = await resolve(writer, 'location', seen, now)
      const outcomes = await writeResolved(resolved, locationWrite, batch => writer.writeLocations(batch))
      let next = 0
      return items.map(item => (item.record.op === 'merge' ? 'deferred' : outcomes[next++]!))
    },
    finish: async () => {
      const done: { item: Item<LocationRecord>; outcome: RowOutcome }[] = []
      let waiting: readonly Item<LocationRecord>[] = merges
      // A place may be merged into one that another row merges away (1 into 2, 2 into 3): repeat while a pass succeeds.
      for (let before = Number.POSITIVE_INFINITY; waiting.length < before; ) {
        before = waiting.length
        const unknown: Item<LocationRecord>[] = []
        for (const item of waiting) {
          const outcome = await merge(writer, seen, item)
          if (outcome === unknownTarget) unknown.push(item)
          else done.push({ item, outcome })
        }
        waiting = unknown
      }
      return [...done, ...waiting.map(item => ({ item, outcome: unknownTarget }))]
    },
  }
}

function locationWrite({ record }: Item<LocationRecord>, id: Id): LocationWrite {
  return record.op === 'put' ? { op: 'put', id, location: record.location, ...record.facts } : { op: 'delete', id }
}

async function merge(writer: DataWriter, seen: SeenIds, item: Item<LocationRecord>): Promise<RowOutcome> {
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
  detail: 'merged_into names a place that is not loaded.',
}

/** Creates the importer of reviews. A review gets an id only when its place is loaded. */
export function reviewImporter(writer: DataWriter, seen: SeenIds): BatchImporter<ReviewRecord> {
  return {
    store: async items => {
      const puts = items.flatMap(({ record }) => (record.op === 'put' ? [record.place] : []))
      const places = await writer.findLocations(puts)
      let nextPlace = 0
      const placeOf = new Map(
        items.flatMap(item => (item.record.op === 'put' ? [[item, places[nextPlace++]] as const] : [])),
      )
      const isStorable = (item: Item<ReviewRecord>) => item.record.op === 'delete' || placeOf.get(item) !== undefined
      const resolved = await resolve(writer, 'review', seen, items.filter(isStorable))
      const toWrite = (item: Item<ReviewRecord>, id: Id): ReviewWrite =>
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
  detail: 'The place of this review is not loaded. Import the places first.',
}
