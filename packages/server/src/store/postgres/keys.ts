import type { KeyBySecret } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { createKeys, keyBySecretOf, type SecretKeyRow, secretKeys } from '../sql/keys.ts'
import { LookupQueue } from './lookup-queue.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { toNumbers } from './sql-database.ts'

const byDigest = `${secretKeys} WHERE s.digest = ANY($1)`

/** Opens partners and keys. */
export function createPostgresKeys(db: SqlDatabase, pool: PostgresPool): KeyAdmin {
  const lookups = new LookupQueue(pool, readKeys)
  return { ...createKeys(db), bySecret: digest => lookups.get(digest) }
}

async function readKeys(
  session: PostgresSession,
  digests: readonly Buffer[],
): Promise<readonly (KeyBySecret | undefined)[]> {
  const rows = toNumbers(await session.query(byDigest, [digests])) as unknown as readonly SecretKeyRow[]
  const found = new Map(rows.map(row => [row.digest.toString('hex'), keyBySecretOf(session.json, row)]))
  return digests.map(digest => found.get(digest.toString('hex')))
}
