import type { Id } from '../../domain/id.ts'
import { storable } from '../rows/copy-text.ts'
import type { PostgresSession } from './pool.ts'

/** Reads the merged locations that have each key. */
export async function readMergedKeys(
  session: PostgresSession,
  keys: readonly string[],
): Promise<readonly (readonly Id[] | undefined)[]> {
  const found = new Map<string, Id[]>()
  const sql = 'SELECT key, from_id FROM merged_keys WHERE key = ANY($1) ORDER BY from_id'
  for (const { key, from_id: id } of await session.query<{ key: string; from_id: Id }>(sql, [keys.map(storable)]))
    found.set(key, [...(found.get(key) ?? []), id])
  return keys.map(key => found.get(key))
}

/** Stores the keys of a merged location in place of those that it had. */
export async function writeMergedKeys(session: PostgresSession, from: Id, keys: readonly string[]): Promise<void> {
  await session.run('DELETE FROM merged_keys WHERE from_id = $1', [from])
  if (keys.length > 0)
    await session.run('INSERT INTO merged_keys (key, from_id) SELECT DISTINCT unnest($2::text[]), $1::bigint', [
      from,
      keys.map(storable),
    ])
}
