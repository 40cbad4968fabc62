import type { Id } from '../domain/id.ts'
import type {
  DataWriter,
  ExternalKey,
  IdAssignment,
  LocationWrite,
  RecordKind,
  ReviewWrite,
  SeenIds,
  WriteOutcome,
} from '../domain/stores.ts'
import type { LocationRecord, MergeTarget } from './normalise-location.ts'
import type { ReviewRecord } from './normalise-review.ts'
import type { Rejection } from './row.ts'

/** A normalised row on its way into the store. */
export interface Item<R> {
  readonly line: number
  readonly text: () => string
  readonly record: R
}

/** What became of an item; a deferred one gets its fate at the end of the input. */
export type Fate = Exclude<WriteOutcome, 'erased'> | 'deferred' | Rejection

/** Stores batches of one kind; the fates are in the order of the items. */
export interface BatchImporter<R> {
  store(items: readonly Item<R>[]): Promise<Fate[]>
  /** What had to wait for the end of the input. */
  finish(): Promise<{ readonly item: Item<R>; readonly fate: Fate }[]>
}

type Resolved<R> = { readonly item: Item<R>; readonly id: Id } | { readonly fate: Fate }

/** Ids for the items: given where the item puts something, only looked up where it removes; duplicates refused. */
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
  const isNew = seen.add(ids.flatMap(one => ('id' in one && one.id !== undefined ? [one.id] : [])))
  let nextNew = 0
  return items.map((item, i) => {
    const one = ids[i]!
    if (!('id' in one)) return { fate: conflict(one) }
    // A deletion of what was never there changes nothing.
    if (one.id === undefined) return { fate: 'unchanged' }
    return isNew[nextNew++] ? { item, id: one.id } : { fate: duplicate(one.id) }
  })
}

/** Why a record gets no id. */
function conflict(found: Exclude<IdAssignment, { readonly id: Id }>): Rejection {
  if (found.conflict === 'erased') return erased
  const detail =
    found.conflict === 'id_taken'
      ? `id is held by another record, ${found.heldBy}: an id is never given twice.`
      : `id differs from the one that this source_id has already, ${found.heldBy}: ids do not change.`
  return { reason: found.conflict, field: 'id', detail }
}

const erased: Rejection = {
  reason: 'erased',
  detail: 'The review, or all reviews of its user, were erased; they stay out.',
}

const duplicate = (id: Id): Rejection => ({
  reason: 'duplicate_in_file',
  detail: `An earlier line of this file has the same record (id ${id}); the first one counts.`,
})

/** Writes what resolved, and puts the outcomes among the fates that were known before. */
async function writeResolved<R, W>(
  resolved: readonly Resolved<R>[],
  toWrite: (item: Item<R>, id: Id) => W,
  write: (batch: readonly W[]) => Promise<WriteOutcome[]>,
): Promise<Fate[]> {
  const writes = resolved.flatMap(one => ('id' in one ? [toWrite(one.item, one.id)] : []))
  const outcomes = await write(writes)
  let next = 0
  return resolved.map(one => ('id' in one ? fateOf(outcomes[next++]!) : one.fate))
}

const fateOf = (outcome: WriteOutcome): Fate => (outcome === 'erased' ? erased : outcome)

/** Locations; merges wait for the end, so that a survivor may stand behind them in the file. */
export function locationImporter(writer: DataWriter, seen: SeenIds): BatchImporter<LocationRecord> {
  const merges: Item<LocationRecord>[] = []
  return {
    store: async items => {
      const now = items.filter(item => item.record.op !== 'merge')
      merges.push(...items.filter(item => item.record.op === 'merge'))
      const resolved = await resolve(writer, 'location', seen, now)
      const fates = await writeResolved(resolved, locationWrite, batch => writer.writeLocations(batch))
      let next = 0
      return items.map(item => (item.record.op === 'merge' ? 'deferred' : fates[next++]!))
    },
    finish: async () => {
      const done: { item: Item<LocationRecord>; fate: Fate }[] = []
      let waiting: readonly Item<LocationRecord>[] = merges
      // The survivor of one merge may be what another one merges away (1 into 2, 2 into 3): tried again while it helps.
      for (let before = Number.POSITIVE_INFINITY; waiting.length < before; ) {
        before = waiting.length
        const unknown: Item<LocationRecord>[] = []
        for (const item of waiting) {
          const fate = await merge(writer, seen, item)
          if (fate === unknownTarget) unknown.push(item)
          else done.push({ item, fate })
        }
        waiting = unknown
      }
      return [...done, ...waiting.map(item => ({ item, fate: unknownTarget }))]
    },
  }
}

function locationWrite({ record }: Item<LocationRecord>, id: Id): LocationWrite {
  return record.op === 'put' ? { op: 'put', id, location: record.location, ...record.facts } : { op: 'delete', id }
}

async function merge(writer: DataWriter, seen: SeenIds, item: Item<LocationRecord>): Promise<Fate> {
  const target = (item.record as { into: MergeTarget }).into
  const [into] = await writer.findLocations([target])
  if (into === undefined) return unknownTarget
  const [assigned] = await writer.assignIds('location', [item.record.key])
  if (!assigned || !('id' in assigned)) return conflict(assigned!)
  if (!seen.add([assigned.id])[0]) return duplicate(assigned.id)
  const [outcome] = await writer.writeLocations([{ op: 'merge', id: assigned.id, into }])
  if (outcome === 'merge_cycle')
    return { reason: 'merge_cycle', field: 'merged_into', detail: 'merged_into leads back to the place itself.' }
  return fateOf(outcome!)
}

const unknownTarget: Rejection = {
  reason: 'unknown_merge_target',
  field: 'merged_into',
  detail: 'merged_into names a place that is not loaded.',
}

/** Reviews; their places are looked up before they get an id. */
export function reviewImporter(writer: DataWriter, seen: SeenIds): BatchImporter<ReviewRecord> {
  return {
    store: async items => {
      const puts = items.flatMap(({ record }) => (record.op === 'put' ? [record.place] : []))
      const places = await writer.findLocations(puts)
      let nextPlace = 0
      const placeOf = new Map(
        items.flatMap(item => (item.record.op === 'put' ? [[item, places[nextPlace++]] as const] : [])),
      )
      const placed = items.filter(item => item.record.op === 'delete' || placeOf.get(item) !== undefined)
      const resolved = await resolve(writer, 'review', seen, placed)
      const toWrite = (item: Item<ReviewRecord>, id: Id): ReviewWrite =>
        item.record.op === 'put'
          ? { op: 'put', review: { ...item.record.review, id, locationId: placeOf.get(item)! } }
          : { op: 'delete', id }
      const fates = await writeResolved(resolved, toWrite, batch => writer.writeReviews(batch))
      let next = 0
      return items.map(item =>
        item.record.op === 'put' && placeOf.get(item) === undefined ? unknownPlace : fates[next++]!,
      )
    },
    finish: async () => [],
  }
}

const unknownPlace: Rejection = {
  reason: 'unknown_place',
  detail: 'The place of this review is not loaded; import the places first.',
}
