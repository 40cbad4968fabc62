import type { DownloadLeases, KeyDownloads } from '../../domain/download-leases.ts'
import { addStarted, lockDownloads, readStarted } from './feed-downloads.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'

/** Expiry of a lease that is opened or renewed now. */
const expiry = "clock_timestamp() + interval '60 seconds'"
/** Condition of a lease that counts. */
export const isOpenLease = 'expires_at > clock_timestamp()'

/** Opens the leases of a node; `close` closes the pool. */
export const openPostgresDownloadLeases = (pool: PostgresPool, node: string): DownloadLeases => ({
  open: ({ id, keyId }, sinceMs, decide) =>
    pool.transaction(async session => {
      await lockDownloads(session, keyId)
      const admitted = decide(await readDownloads(session, keyId, sinceMs))
      if (!admitted) return
      if (admitted.snapshot) await addStarted(session, keyId, admitted.snapshot)
      await session.run(`INSERT INTO download_leases (id, key_id, node, expires_at) VALUES ($1, $2, $3, ${expiry})`, [
        id,
        keyId,
        node,
      ])
    }),
  renew: async leases => {
    await pool.run(
      `INSERT INTO download_leases (id, key_id, node, expires_at)
       SELECT id, key_id, $3, ${expiry} FROM unnest($1::uuid[], $2::text[]) AS held (id, key_id)
       ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
      [leases.map(({ id }) => id), leases.map(({ keyId }) => keyId), node],
    )
    // Rows that another node renews at this moment are skipped, so that the two never wait for each other in a circle.
    await pool.run(
      `DELETE FROM download_leases WHERE id IN (
         SELECT id FROM download_leases WHERE NOT ${isOpenLease} FOR UPDATE SKIP LOCKED)`,
    )
  },
  end: async ids => {
    await pool.run('DELETE FROM download_leases WHERE id = ANY($1::uuid[])', [ids])
  },
  downloadsOf: (keyId, sinceMs) => pool.use(session => readDownloads(session, keyId, sinceMs)),
  close: () => pool.close(),
})

/** Ends the leases that earlier processes of a node have left. */
export const endLeasesOf = (pool: PostgresPool, node: string): Promise<number> =>
  pool.run('DELETE FROM download_leases WHERE node = $1', [node])

const readDownloads = async (session: PostgresSession, keyId: string, sinceMs: number): Promise<KeyDownloads> => {
  const [row] = await session.query<{ open: bigint }>(
    `SELECT count(*) AS open FROM download_leases WHERE key_id = $1 AND ${isOpenLease}`,
    [keyId],
  )
  return { open: Number(row!.open), started: await readStarted(session, keyId, sinceMs) }
}
