import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { DataWriter } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import { type OwnedPhoto, ownPhotos } from '../../domain/photo.ts'
import type {
  ExternalKey,
  IdAssignment,
  LocationRef,
  LocationWrite,
  RecordKind,
  ReviewWrite,
  WriteOutcome,
} from '../../domain/record-write.ts'
import type { WriterOptions } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { createDryWriter } from '../dry-writer.ts'
import { kindNumber } from '../rows/codes.ts'
import { erasureDigests } from '../rows/decision-rules.ts'
import { assignIds } from '../rows/id-rules.ts'
import { withoutErased } from '../rows/kept-photos.ts'
import { createReviewWriter } from '../rows/review-rules.ts'
import { createSeenIds } from '../seen-ids.ts'
import { lockData, PostgresBatch } from './batch.ts'
import { findIds, LoadedIds } from './loaded-ids.ts'
import { openMissing } from './missing.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { ProvisionalIds } from './provisional-ids.ts'

/** Maximum number of places whose ids are cached, about 200 bytes each. */
const cachedPlaces = 200_000

export interface PostgresWriterOptions extends WriterOptions {
  readonly pepper: KeyObject
  readonly clock: Clock
}

/** Runs `work` in a transaction. */
type Transaction = <T>(work: (session: PostgresSession) => Promise<T>) => Promise<T>

/**
 * Opens a writer of locations and reviews. Ids are assigned before a batch is stored: after a kill between the two, the
 * assigned ids are unused until the next run finds them again.
 */
export async function openPostgresWriter(pool: PostgresPool, options: PostgresWriterOptions): Promise<DataWriter> {
  const { dryRun, lock } = options
  const write: Transaction = work =>
    transact(pool, dryRun, async session => {
      await lockData(session)
      lock?.lost.throwIfAborted()
      return work(session)
    })
  const places = new PlaceIds()
  const provisional = dryRun ? new ProvisionalIds() : undefined
  const find: DataWriter['findIds'] = async (kind, keys) => {
    const found = await pool.use(session => findIds(session, kind, keys))
    return provisional ? found.map((id, i) => id ?? provisional.find(kind, keys[i]!)) : found
  }
  const writer: DataWriter = {
    assignIds: async (kind, keys) => {
      const found = provisional ? await pool.use(session => findIds(session, kind, keys.map(withoutId))) : []
      const assigned = await write(session => assign(session, kind, keys, options))
      return provisional ? provisional.replace(kind, keys, found, assigned) : assigned
    },
    findIds: find,
    findLocations: refs => pool.use(session => places.find(session, refs)),
    writeLocations: batch => {
      places.clear()
      return write(session => writeLocations(session, batch, options))
    },
    writeReviews: batch => write(session => writeReviews(session, batch, options)),
    openSeenIds: async () => createSeenIds(),
    openMissing: (kind, source, kept) => pool.use(session => openMissing(session, kind, source, kept)),
    close: async () => {},
  }
  return dryRun ? createDryWriter(writer) : writer
}

/** Runs `work` in a transaction, which a dry run rolls back. */
async function transact<T>(
  pool: PostgresPool,
  isDry: boolean,
  work: (session: PostgresSession) => Promise<T>,
): Promise<T> {
  if (!isDry) return pool.transaction(work)
  return pool.use(async session => {
    await session.exec('BEGIN')
    try {
      return await work(session)
    } finally {
      await session.exec('ROLLBACK')
    }
  })
}

/** Returns the key by which a record is found that also has an id. */
const withoutId = (key: ExternalKey): ExternalKey =>
  key.sourceId === undefined ? key : { source: key.source, sourceId: key.sourceId }

async function assign(
  session: PostgresSession,
  kind: RecordKind,
  keys: readonly ExternalKey[],
  { pepper, clock }: PostgresWriterOptions,
): Promise<IdAssignment[]> {
  const batch = await PostgresBatch.open(session, { pepper, atMs: clock.nowMs() })
  const hasErasures = kind === 'review' && batch.hasDecisions
  if (hasErasures) {
    const { ofKey } = erasureDigests(pepper)
    const digests = keys.flatMap(({ source, sourceId }) => (sourceId === undefined ? [] : ofKey(source, sourceId)))
    await batch.decisionRows.loadDigests(session, digests)
  }
  const sql = 'SELECT next_id FROM id_counters WHERE kind = $1'
  const [counter] = await session.query<{ next_id: Id }>(sql, [kindNumber[kind]])
  const before = counter!.next_id
  const ids = await LoadedIds.forKeys(session, kind, keys, before)
  const { assigned, next } = assignIds(ids, keys, before, hasErasures ? batch.decisions : undefined)
  await ids.write(session)
  if (next !== before)
    await session.run('UPDATE id_counters SET next_id = $2 WHERE kind = $1', [kindNumber[kind], next])
  return assigned
}

async function writeLocations(
  session: PostgresSession,
  writes: readonly LocationWrite[],
  { pepper, clock, dryRun }: PostgresWriterOptions,
): Promise<WriteOutcome[]> {
  const batch = await PostgresBatch.open(session, { pepper, atMs: clock.nowMs(), isRecorded: !dryRun })
  const ended = writes.filter(({ op }) => op !== 'put')
  const targets = writes.flatMap(write => (write.op === 'merge' ? write.into : []))
  await batch.loadPlaces(
    writes.map(({ id }) => id),
    ended.map(({ id }) => id),
    targets,
  )
  const writer = batch.createLocationWriter()
  if (batch.hasDecisions) {
    const photos = writes.flatMap(write =>
      write.op === 'put' ? ownPhotos({ origin: 'operator', id: write.id }, write.location.photoList) : [],
    )
    await loadErased(session, batch, photos, pepper)
  }
  const outcomes = writes.map(write =>
    writer.write(batch.hasDecisions ? withoutErased(write, batch.decisions) : write, batch),
  )
  await batch.write()
  return outcomes
}

/** Loads the decisions to erase photos. */
const loadErased = (
  session: PostgresSession,
  { decisionRows }: PostgresBatch,
  photos: readonly OwnedPhoto[],
  pepper: KeyObject,
): Promise<void> => {
  const { ofPhoto } = erasureDigests(pepper)
  return decisionRows.loadDigests(
    session,
    photos.map(({ photoId }) => ofPhoto(photoId)),
  )
}

async function writeReviews(
  session: PostgresSession,
  writes: readonly ReviewWrite[],
  { pepper, clock, dryRun }: PostgresWriterOptions,
): Promise<WriteOutcome[]> {
  const batch = await PostgresBatch.open(session, { pepper, atMs: clock.nowMs(), isRecorded: !dryRun })
  const reviews = writes.flatMap(write => (write.op === 'put' ? write.review : []))
  if (batch.hasDecisions) {
    const { ofUser } = erasureDigests(pepper)
    const users = new Set(reviews.flatMap(({ userKey }) => userKey ?? []))
    await batch.decisionRows.loadDigests(session, [...users].map(ofUser))
    const photos = reviews.flatMap(({ id, photos }) => ownPhotos({ origin: 'review', id }, photos))
    await loadErased(session, batch, photos, pepper)
  }
  await batch.loadReviews(
    writes.map(write => (write.op === 'put' ? write.review.id : write.id)),
    reviews.map(({ locationId }) => locationId),
  )
  const write = createReviewWriter(batch.reviews, batch.decisions)
  const outcomes = writes.map(one => write(one, batch))
  await batch.write()
  return outcomes
}

/** Finds places, and caches their ids: most reviews belong to few places. */
class PlaceIds {
  // Bounded by size, because with `max` the cache would allocate memory for all of its entries.
  readonly #known = new LRUCache<string, Id>({ maxSize: cachedPlaces, sizeCalculation: () => 1 })

  clear(): void {
    this.#known.clear()
  }

  /** Finds the places of references and follows merges; the import lock keeps other writers from changing them. */
  async find(session: PostgresSession, refs: readonly LocationRef[]): Promise<(Id | undefined)[]> {
    const names = refs.map(ref => ('id' in ref ? String(ref.id) : `${ref.source.length} ${ref.source}${ref.sourceId}`))
    const unknown = new Map(refs.flatMap((ref, i) => (this.#known.has(names[i]!) ? [] : [[names[i]!, ref] as const])))
    const found = await findPlaces(session, [...unknown.values()])
    const ids = new Map<string, Id | undefined>([...unknown.keys()].map((name, i) => [name, found[i]]))
    const result = names.map(name => (ids.has(name) ? ids.get(name) : this.#known.get(name)))
    for (const [name, id] of ids) if (id !== undefined) this.#known.set(name, id)
    return result
  }
}

async function findPlaces(session: PostgresSession, refs: readonly LocationRef[]): Promise<(Id | undefined)[]> {
  if (refs.length === 0) return []
  const keys = refs.map(ref => ('id' in ref ? { source: '', id: ref.id } : ref))
  const ids = await findIds(session, 'location', keys)
  const asked = [...new Set(ids.filter(id => id !== undefined))]
  const survivors = new Map(
    (
      await session.query<{ from_id: Id; to_id: Id }>('SELECT from_id, to_id FROM merges WHERE from_id = ANY($1)', [
        asked,
      ])
    ).map(({ from_id: from, to_id: to }) => [from, to]),
  )
  const resolve = (id: Id) => survivors.get(id) ?? id
  const rows = await session.query<{ id: Id }>('SELECT id FROM locations WHERE id = ANY($1)', [asked.map(resolve)])
  const present = new Set(rows.map(({ id }) => id))
  return ids.map(id => (id !== undefined && present.has(resolve(id)) ? resolve(id) : undefined))
}
