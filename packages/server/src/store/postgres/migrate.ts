import { setTimeout as sleep } from 'node:timers/promises'
import { NewerSchema, StoreError, StoreFailure } from '../../domain/store-errors.ts'
import { locks } from './locks.ts'
import type { PostgresMigration } from './migrations/all.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'

/** Wait of one attempt for the locks of tables in use, in milliseconds; short, because requests wait behind it. */
const lockWaitMs = 2000
const maxAttempts = 30

interface SchemaRow {
  readonly version: number
  readonly oldest: number
}

/**
 * Runs the pending migrations of a database, each in a transaction of its own; another process may do so at the same
 * time. A database that a newer release has upgraded can be used while its `oldest` is not above the known version.
 * Throws NewerSchema, or StoreError if the database contains other tables.
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
  for (;;) {
    const version = await readVersion(session, name, migrations.length)
    if (version >= migrations.length) return
    await runNext(session, version, migrations)
  }
}

/** Returns the version of the schema; 0 for an empty database. */
async function readVersion(session: PostgresSession, name: string, known: number): Promise<number> {
  const [found] = await session.query<{ schema: string | null; others: boolean }>(
    `SELECT to_regclass('schema')::text AS schema,
       EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema()) AS others`,
  )
  if (found!.schema === null) {
    if (found!.others) throw new StoreError(`${name} has tables of another application. Use an empty database.`)
    return 0
  }
  const { version, oldest } = (await session.query<SchemaRow>('SELECT version, oldest FROM schema'))[0]!
  if (oldest > known) throw new NewerSchema(name, version, known)
  return version
}

/** Runs the migration after `version` unless another process has. */
async function runNext(
  session: PostgresSession,
  version: number,
  migrations: readonly PostgresMigration[],
): Promise<void> {
  await session.exec('BEGIN')
  try {
    await session.exec(`SET LOCAL lock_timeout = ${lockWaitMs}; SET LOCAL statement_timeout = 0`)
    await session.query('SELECT pg_advisory_xact_lock($1)', [locks.schema])
    if (version === 0)
      await session.exec(`
        CREATE TABLE IF NOT EXISTS schema (
          only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
          version integer NOT NULL,
          oldest integer NOT NULL
        );
        INSERT INTO schema (version, oldest) VALUES (0, 1) ON CONFLICT DO NOTHING;
      `)
    const [row] = await session.query<SchemaRow>('SELECT version, oldest FROM schema')
    if (row!.version === version) {
      const { sql, oldest } = migrations[version]!
      await session.exec(sql)
      await session.run('UPDATE schema SET version = $1, oldest = greatest(oldest, $2)', [version + 1, oldest ?? 1])
    }
    await session.exec('COMMIT')
  } catch (error) {
    await session.exec('ROLLBACK').catch(() => {})
    throw error
  }
}
