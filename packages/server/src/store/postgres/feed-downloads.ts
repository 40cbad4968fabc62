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

/** Returns the downloads that a key started at `sinceMs` or later, oldest first. */
export const readStarted = async (
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

/** Adds a snapshot to those whose download a key has started. */
export const addStarted = (
  session: PostgresSession,
  keyId: string,
  { snapshot, atMs }: FeedDownload,
): Promise<number> =>
  session.run('INSERT INTO feed_downloads VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [keyId, snapshot, atMs])

/** Excludes other decisions about the downloads of a key until the end of the transaction. */
export const lockDownloads = (session: PostgresSession, keyId: string): Promise<unknown> =>
  session.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [locks.feedDownloads, keyId])

interface DownloadPools {
  /** Connections of requests. */
  readonly serving: PostgresPool
  readonly work: PostgresPool
}

/** Opens the feed downloads that keys have started on any node. Decisions about one key are made one at a time. */
export async function openPostgresFeedDownloads(
  { serving, work }: DownloadPools,
  nowMs: number,
): Promise<FeedDownloads> {
  await work.run('DELETE FROM feed_downloads WHERE at_ms < $1', [nowMs - retentionMs])
  return {
    since: (keyId, sinceMs) => readStarted(serving, keyId, sinceMs),
    start: (keyId, sinceMs, decide) =>
      serving.transaction(async session => {
        await lockDownloads(session, keyId)
        const started = decide(await readStarted(session, keyId, sinceMs))
        if (started) await addStarted(session, keyId, started)
      }),
    close: async () => {},
  }
}
