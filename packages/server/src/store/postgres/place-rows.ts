import type { Id } from '../../domain/id.ts'
import { inPieces, storable } from '../rows/copy-text.ts'
import type { PlaceRow } from '../rows/location-rules.ts'
import { writeMergedKeys } from './merged-keys.ts'
import type { PostgresSession } from './pool.ts'

/** A location with its totals, as it is stored and as it will be. */
export interface LoadedPlace {
  readonly stored: boolean
  /** Time of the last change as stored; 0 if the record has not been loaded. */
  readonly storedMs: number
  /** Undefined if the location does not exist, or if its record has not been loaded. */
  row: PlaceRow | undefined
  exists: boolean
  totals: string | null
  isRanked: boolean
  /** Time of the last change by this batch. */
  changedMs?: number
  isRewritten: boolean
  isNewlyRanked: boolean
}

type PlaceEntry = readonly [Id, LoadedPlace]

/** Merges a location, and those that were merged into it before. */
export async function writeMerge(session: PostgresSession, from: Id, to: Id, keys: readonly string[]): Promise<void> {
  await session.run('UPDATE merges SET to_id = $2 WHERE to_id = $1', [from, to])
  await session.run(
    'INSERT INTO merges (from_id, to_id) VALUES ($1, $2) ON CONFLICT (from_id) DO UPDATE SET to_id = excluded.to_id',
    [from, to],
  )
  await writeMergedKeys(session, from, keys)
}

/** Ends the merges of locations. */
export async function removeMerges(session: PostgresSession, ids: readonly Id[]): Promise<void> {
  await session.run('DELETE FROM merges WHERE from_id = ANY($1)', [ids])
  await session.run('DELETE FROM merged_keys WHERE from_id = ANY($1)', [ids])
}

/** Stores locations that do not exist. */
export async function addPlaces(session: PostgresSession, places: readonly PlaceEntry[]): Promise<void> {
  if (places.length === 0) return
  await session.copyIn(
    'COPY locations (id, source, country, category, updated_ms, is_ranked, record, totals) FROM STDIN',
    inPieces(
      places.map(([id, { row, storedMs, changedMs, isRanked, totals }]) => [
        id,
        storable(row!.source),
        storable(row!.country),
        row!.category,
        Math.max(storedMs, changedMs!),
        isRanked,
        row!.record,
        totals,
      ]),
    ),
  )
}

/** Removes locations. */
export async function removePlaces(session: PostgresSession, ids: readonly Id[]): Promise<void> {
  if (ids.length > 0) await session.run('DELETE FROM locations WHERE id = ANY($1)', [ids])
}

/** Writes the totals of stored locations. */
export async function changeTotals(session: PostgresSession, places: readonly PlaceEntry[]): Promise<void> {
  if (places.length === 0) return
  await session.run(
    `UPDATE locations SET totals = v.totals, is_ranked = v.is_ranked,
       updated_ms = greatest(locations.updated_ms, v.changed_ms)
     FROM unnest($1::bigint[], $2::text[], $3::boolean[], $4::bigint[]) AS v (id, totals, is_ranked, changed_ms)
     WHERE locations.id = v.id`,
    [
      places.map(([id]) => id),
      places.map(([, place]) => place.totals),
      places.map(([, place]) => place.isRanked),
      places.map(([, place]) => place.changedMs),
    ],
  )
}
