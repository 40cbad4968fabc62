import { setTimeout as sleep } from 'node:timers/promises'
import { NewerSchema, StoreError, StoreFailure } from '../../domain/store-errors.ts'
import { createIndex } from './create-index.ts'
import { locks } from './locks.ts'
import type { PostgresMigration } from './migrations/all.ts'
import { inTransaction, type PostgresPool, type PostgresSession } from './pool.ts'
import { readSchema } from './schema.ts'

/** Wait of one attempt for the locks of tables in use, in milliseconds; short, because requests wait behind it. */
const lockWaitMs = 2000
const maxAttempts = 30

/** The oldest version of PostgreSQL that is supported. */
const oldestServer = 15
/** Interval between attempts while another process migrates, in milliseconds. */
const busyEveryMs = 100

/** Settings of a transaction that changes tables in use. */
export const schemaChange = `SET LOCAL lock_timeout = ${lockWaitMs}; SET LOCAL statement_timeout = 0`

/**
 * Runs the pending migrations of a database, while older releases use it; another process may do so at the same time.
 * A database that a newer release has upgraded can be used while its `oldest` is not above the known version. Throws
 * NewerSchema, or StoreError if the server is too old or the database contains other tables.
 */
export async function migratePostgres(pool: PostgresPool, migrations: readonly PostgresMigration[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.use(session => runPending(session, pool.name, migrations))
    } catch (error) {
      const isLocked = error instanceof StoreFailure && error.kind === 'busy'
      if (!isLocked || attempt === maxAttempts) throw error
      await sleep(Math.random() * lockWaitMs)
    }
  }
}

async function runPending(
  session: PostgresSession,
  name: string,
  migrations: readonly PostgresMigration[],
): Promise<void> {
  while ((await readVersion(session, name, migrations.length)) < migrations.length) {
    // Not awaited by the database: the transaction of a waiting statement would block the creation of an index.
    const isDone = await tryWithSchemaLock(session, () => runNext(session, name, migrations))
    if (!isDone) await sleep(busyEveryMs)
  }
}

/** Returns the version of the schema; 0 for an empty database. */
async function readVersion(session: PostgresSession, name: string, known: number): Promise<number> {
  const [found] = await session.query<{ schema: string | null; others: boolean; server: number }>(
    `SELECT to_regclass('schema')::text AS schema, current_setting('server_version_num')::integer / 10000 AS server,
       EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema()) AS others`,
  )
  if (found!.server < oldestServer)
    throw new StoreError(`${name} is of version ${found!.server}. Use PostgreSQL ${oldestServer} or later.`)
  if (found!.schema === null) {
    if (found!.others) throw new StoreError(`${name} has tables of another application. Use an empty database.`)
    return 0
  }
  const { version, oldest } = await readSchema(session)
  if (oldest > known) throw new NewerSchema(name, version, known)
  return version
}

/** Calls `work` while no other process changes the schema. Returns false, without a call, while another one does. */
export async function tryWithSchemaLock(session: PostgresSession, work: () => Promise<void>): Promise<boolean> {
  const [row] = await session.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [locks.schema])
  if (!row!.held) return false
  try {
    await work()
  } finally {
    // A connection that is gone has released the lock.
    await session.query('SELECT pg_advisory_unlock($1)', [locks.schema]).catch(() => {})
  }
  return true
}

/** Runs the next migration, if another process has not run all. */
async function runNext(
  session: PostgresSession,
  name: string,
  migrations: readonly PostgresMigration[],
): Promise<void> {
  const version = await readVersion(session, name, migrations.length)
  const migration = migrations[version]
  if (!migration) return
  if ('index' in migration) {
    await createIndex(session, migration)
    await noteVersion(session, version + 1)
    return
  }
  await inTransaction(session, async () => {
    await session.exec(schemaChange)
    if (version === 0) await session.exec(schemaTable)
    await session.exec(migration.sql)
    await noteVersion(session, version + 1)
  })
}

const schemaTable = `
  CREATE TABLE schema (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version integer NOT NULL,
    oldest integer NOT NULL
  );
  INSERT INTO schema (version, oldest) VALUES (0, 1);
`

const noteVersion = (session: PostgresSession, version: number): Promise<number> =>
  session.run('UPDATE schema SET version = $1', [version])
