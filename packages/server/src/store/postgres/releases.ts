import type { Contraction, Releases } from '../../domain/releases.ts'
import { isConnected } from './candidate.ts'
import { schemaChange, tryWithSchemaLock } from './migrate.ts'
import { type PostgresContraction, postgresContractions } from './migrations/all.ts'
import { inTransaction, levelOfConnection, type PostgresPool, type PostgresSession } from './pool.ts'
import { readSchema } from './schema.ts'

/** Opens the releases that use a database. */
export const createPostgresReleases = (pool: PostgresPool): Releases => ({
  oldest: () => pool.use(async session => (await readSchema(session)).oldest),
  contract: () => contractPostgres(pool, postgresContractions),
})

/**
 * Runs the next contraction of a database if no process needs what it removes: no node that has not left, no process
 * that is connected, and no command. Throws StoreFailure if a table is in use for too long; a later call repeats it.
 */
export async function contractPostgres(
  pool: PostgresPool,
  contractions: readonly PostgresContraction[],
): Promise<Contraction> {
  let older: readonly string[] = []
  const isPending = async (session: PostgresSession, lock = '') => {
    const { oldest } = await readSchema(session, lock)
    return contractions.find(next => next.oldest > oldest)
  }
  return pool.use(async session => {
    if (!(await isPending(session))) return { isDone: true, older }
    await tryWithSchemaLock(session, () =>
      inTransaction(session, async () => {
        await session.exec(schemaChange)
        // Processes that register wait, and then see that they are too old.
        const next = await isPending(session, 'FOR UPDATE')
        if (!next) return
        older = await listOlder(session, next.oldest)
        if (older.length > 0) return
        await session.exec(next.sql)
        await session.run('UPDATE schema SET oldest = $1', [next.oldest])
      }),
    )
    return { isDone: !(await isPending(session)), older }
  })
}

/**
 * Returns the names of processes whose release is below a level. A node counts until it has left or is forgotten, also
 * when it has died; a command counts while it is connected.
 */
async function listOlder(session: PostgresSession, level: number): Promise<string[]> {
  const known = await session.query<{ name: string }>(
    `SELECT name || ' (' || release || ')' AS name FROM cluster_nodes WHERE mode <> 'left' AND level < $1
     UNION SELECT name || ' (' || release || ')' FROM cluster_processes p WHERE level < $1 AND ${isConnected}`,
    [level],
  )
  if (known.length > 0) return known.map(({ name }) => name)
  const commands = await session.query<{ name: string }>(
    `SELECT DISTINCT 'a command on ' || coalesce(host(client_addr), 'the machine of the database') AS name
     FROM pg_stat_activity WHERE datname = current_database() AND ${levelOfConnection} < $1`,
    [level],
  )
  return commands.map(({ name }) => name)
}
