import type { FeedDownload, FeedDownloads } from '../../domain/feed-stores.ts'
import { dayMs } from '../../kit/time.ts'
import { locks } from './locks.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'

/** Age from which downloads are deleted, in milliseconds. Limits count one day; the pages of feeds show the others. */
const retentionMs = 90 * dayMs

interface Row {
  readonly snapshot: string
  readonly atMs: bigint
}

const readSince = async (
  session: Pick<PostgresSession, 'query'>,
  keyId: string,
  sinceMs: number,
): Promise<FeedDownload[]> => {
  const rows = await session.query<Row>(
    'SELECT snapshot, at_ms AS "atMs" FROM feed_downloads WHERE key_id = $1 AND at_ms >= $2 ORDER BY at_ms',
    [keyId, sinceMs],
  )
  return rows.map(({ snapshot, atMs }) => ({ snapshot, atMs: Number(atMs) }))
}

/** Opens the feed downloads that keys have started on any node. Decisions about one key are made one at a time. */
export async function openPostgresFeedDownloads(pool: PostgresPool, nowMs: number): Promise<FeedDownloads> {
  await pool.run('DELETE FROM feed_downloads WHERE at_ms < $1', [nowMs - retentionMs])
  return {
    since: (keyId, sinceMs) => readSince(pool, keyId, sinceMs),
    start: (keyId, sinceMs, decide) =>
      pool.transaction(async session => {
        await session.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [locks.feedDownloads, keyId])
        const started = decide(await readSince(session, keyId, sinceMs))
        if (started)
          await session.run('INSERT INTO feed_downloads VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
            keyId,
            started.snapshot,
            started.atMs,
          ])
      }),
    close: async () => {},
  }
}
