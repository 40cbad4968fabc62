import type { KeyBySecret } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { createKeys, keyBySecretOf, type SecretKeyRow, secretKeys } from '../sql/keys.ts'
import type { EnginePools } from './engine-pools.ts'
import { LookupQueue } from './lookup-queue.ts'
import type { PostgresSession } from './pool.ts'
import { createPostgresDatabase, toNumbers } from './sql-database.ts'

const byDigest = `${secretKeys} WHERE s.digest = ANY($1)`

/** Opens partners and keys. Their revision is read by the connection of the watches. */
export function createPostgresKeys(
  db: SqlDatabase,
  { serving, watching }: Pick<EnginePools, 'serving' | 'watching'>,
): KeyAdmin {
  const lookups = new LookupQueue(serving, readKeys)
  const { revision } = createKeys(createPostgresDatabase(watching))
  return { ...createKeys(db), bySecret: digest => lookups.get(digest), revision }
}

async function readKeys(
  session: PostgresSession,
  digests: readonly Buffer[],
): Promise<readonly (KeyBySecret | undefined)[]> {
  const rows = toNumbers(await session.query(byDigest, [digests])) as unknown as readonly SecretKeyRow[]
  const found = new Map(rows.map(row => [row.digest.toString('hex'), keyBySecretOf(session.json, row)]))
  return digests.map(digest => found.get(digest.toString('hex')))
}
