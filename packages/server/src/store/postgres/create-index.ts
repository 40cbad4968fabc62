import type { IndexMigration } from './migrations/all.ts'
import type { PostgresSession } from './pool.ts'

/**
 * Creates an index without blocking writers, unless it exists. One that a killed attempt has left incomplete is
 * replaced.
 */
export async function createIndex(session: PostgresSession, { index, on }: IndexMigration): Promise<void> {
  const [found] = await session.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [index],
  )
  if (found?.valid) return
  // It waits for older transactions to end, and nobody waits for it.
  await session.exec('SET lock_timeout = 0')
  await session.exec('SET statement_timeout = 0')
  try {
    if (found) await session.exec(`DROP INDEX CONCURRENTLY ${index}`)
    await session.exec(`CREATE INDEX CONCURRENTLY ${index} ON ${on}`)
  } finally {
    await session.exec('RESET lock_timeout; RESET statement_timeout').catch(() => {})
  }
}
