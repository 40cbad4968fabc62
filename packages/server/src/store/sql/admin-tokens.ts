import type { AdminPermission } from '../../domain/admin-permission.ts'
import type { AdminToken, TokenStore } from '../../domain/admin-token.ts'
import { writeRecord } from './change-record.ts'
import { get, type JsonColumns, run, type SqlDatabase } from './database.ts'

interface TokenRow {
  id: string
  name: string
  permissions: string
  partner: string | null
  maker: string
  created: number
  expires: number
  revoked: number | null
  last_used_day: string | null
}

const select =
  'SELECT id, name, permissions, partner, maker, created, expires, revoked, last_used_day FROM admin_tokens'
const one = `${select} WHERE id = @id`

/** Opens the tokens of the admin API. */
export function createTokens(db: SqlDatabase): TokenStore {
  const present = (row: TokenRow | undefined) => row && tokenOf(db, row)
  return {
    create: (token, digest, record) =>
      db.transaction(function* () {
        const { permissions, partnerId = null } = token
        yield* run(
          `INSERT INTO admin_tokens (id, digest, name, permissions, partner, maker, created, expires)
           VALUES (@id, @digest, @name, @permissions, @partnerId, @maker, @createdMs, @expiresMs)`,
          { ...token, digest, permissions: JSON.stringify(permissions), partnerId },
        )
        yield* writeRecord(record)
      }),
    byDigest: async digest => present(await db.get<TokenRow>(`${select} WHERE digest = @digest`, { digest })),
    get: async id => present(await db.get<TokenRow>(one, { id })),
    list: async () => (await db.all<TokenRow>(`${select} ORDER BY created, id`)).map(row => tokenOf(db, row)),
    revoke: async (id, atMs, record) => {
      const revoked = await db.transaction(function* () {
        const changes = yield* run('UPDATE admin_tokens SET revoked = @atMs WHERE id = @id AND revoked IS NULL', {
          id,
          atMs,
        })
        if (changes === 0) return undefined
        yield* writeRecord(record)
        return yield* get<TokenRow>(one, { id })
      })
      return present(revoked)
    },
    used: async (id, day) =>
      void (await db.run(
        'UPDATE admin_tokens SET last_used_day = @day WHERE id = @id AND last_used_day IS DISTINCT FROM @day',
        { id, day },
      )),
  }
}

const tokenOf = (db: JsonColumns, row: TokenRow): AdminToken => ({
  id: row.id,
  name: row.name,
  permissions: db.parseJson<AdminPermission[]>(row.permissions),
  ...(row.partner !== null && { partnerId: row.partner }),
  maker: row.maker,
  createdMs: row.created,
  expiresMs: row.expires,
  ...(row.revoked !== null && { revokedMs: row.revoked }),
  ...(row.last_used_day !== null && { lastUsedDay: row.last_used_day }),
})
