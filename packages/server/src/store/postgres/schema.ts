import { NewerSchema } from '../../domain/store-errors.ts'
import type { PostgresSession } from './pool.ts'

/** The schema of a database: its version, and the lowest level of releases that can use it. */
export interface SchemaVersion {
  readonly version: number
  readonly oldest: number
}

/** Reads the schema. `lock`: keeps it until the end of the transaction. */
export async function readSchema(session: PostgresSession, lock = ''): Promise<SchemaVersion> {
  return (await session.query<SchemaVersion>(`SELECT version, oldest FROM schema ${lock}`))[0]!
}

/**
 * Checks that a release of a level can use the database, and keeps it usable until the end of the transaction, in which
 * the process makes itself known. Throws NewerSchema.
 */
export async function requireUsable(session: PostgresSession, name: string, level: number): Promise<void> {
  const { version, oldest } = await readSchema(session, 'FOR SHARE')
  if (oldest > level) throw new NewerSchema(name, version, level)
}
