import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { type LocationRow, toLocationEntry } from '../rows/location-entry.ts'
import { type LookupConnections, LookupQueue } from './lookup-queue.ts'
import { readMergedKeys } from './merged-keys.ts'
import type { PostgresSession } from './pool.ts'

/** The columns of a LocationRow. */
export const locationColumns = 'id, source, country, category, updated_ms, record, totals'

const byId = `SELECT ${locationColumns} FROM locations WHERE id = ANY($1)`
const survivors = `
  SELECT from_id, locations.id, source, country, category, updated_ms, record, totals
  FROM merges JOIN locations ON locations.id = to_id WHERE from_id = ANY($1)`

/** Reads locations. */
export function createPostgresLocations(pool: LookupConnections): LocationReader {
  const lookups = new LookupQueue(pool, readLocations)
  const merged = new LookupQueue(pool, readMergedKeys)
  return {
    get: id => lookups.get(id),
    getMany: ids => lookups.getMany(ids),
    findMerged: async keys => (await merged.getMany(keys)).map(ids => ids ?? []),
  }
}

async function readLocations(
  session: PostgresSession,
  ids: readonly Id[],
): Promise<readonly (LocationEntry | undefined)[]> {
  const found = new Map<Id, LocationEntry>()
  for (const row of await session.query<LocationRow>(byId, [[...new Set(ids)]]))
    found.set(row.id, toLocationEntry(session.json, row))
  const missing = new Set(ids.filter(id => !found.has(id)))
  if (missing.size > 0)
    for (const row of await session.query<LocationRow & { from_id: Id }>(survivors, [[...missing]]))
      found.set(row.from_id, toLocationEntry(session.json, row))
  return ids.map(id => found.get(id))
}
