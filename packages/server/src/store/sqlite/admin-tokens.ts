import type { AdminPermission } from '../../domain/admin-permission.ts'
import type { AdminToken, TokenStore } from '../../domain/admin-token.ts'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { Sqlite } from '../connection.ts'
import { createRecordWriter } from './change-record.ts'

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

const columns = 'id, name, permissions, partner, maker, created, expires, revoked, last_used_day'

/** Opens the tokens of the admin API in control.sqlite. */
export function createSqliteTokens(control: Sqlite): TokenStore {
  const write = createRecordWriter(control)
  const select = `SELECT ${columns} FROM admin_tokens`
  const one = control.prepare<[string], TokenRow>(`${select} WHERE id = ?`)
  const byDigest = control.prepare<[Buffer], TokenRow>(`${select} WHERE digest = ?`)
  const all = control.prepare<[], TokenRow>(`${select} ORDER BY created, id`)
  const add = control.prepare(
    `INSERT INTO admin_tokens (id, digest, name, permissions, partner, maker, created, expires)
     VALUES (@id, @digest, @name, @permissions, @partnerId, @maker, @createdMs, @expiresMs)`,
  )
  const end = control.prepare('UPDATE admin_tokens SET revoked = ? WHERE id = ? AND revoked IS NULL')
  const use = control.prepare(
    'UPDATE admin_tokens SET last_used_day = @day WHERE id = @id AND last_used_day IS NOT @day',
  )
  const create = control.transaction((token: AdminToken, digest: Buffer, record: ChangeRecord) => {
    const { permissions, partnerId = null } = token
    add.run({ ...token, digest, permissions: JSON.stringify(permissions), partnerId })
    write(record)
  }).immediate
  const revoke = control.transaction((id: string, atMs: number, record: ChangeRecord) => {
    if (end.run(atMs, id).changes === 0) return undefined
    write(record)
    return one.get(id)
  }).immediate
  const tokenOf = (row: TokenRow | undefined) => row && toToken(control, row)
  return {
    create: async (token, digest, record) => create(token, digest, record),
    byDigest: async digest => tokenOf(byDigest.get(digest)),
    get: async id => tokenOf(one.get(id)),
    list: async () => all.all().map(row => toToken(control, row)),
    revoke: async (id, atMs, record) => tokenOf(revoke(id, atMs, record)),
    used: async (id, day) => void use.run({ id, day }),
  }
}

const toToken = (control: Sqlite, row: TokenRow): AdminToken => ({
  id: row.id,
  name: row.name,
  permissions: control.parseJson<AdminPermission[]>(row.permissions),
  ...(row.partner !== null && { partnerId: row.partner }),
  maker: row.maker,
  createdMs: row.created,
  expiresMs: row.expires,
  ...(row.revoked !== null && { revokedMs: row.revoked }),
  ...(row.last_used_day !== null && { lastUsedDay: row.last_used_day }),
})
