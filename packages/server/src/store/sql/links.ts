import type { Link, LinkPurpose, LinkStore, LinkUse } from '../../domain/session.ts'
import { writeRecord } from './change-record.ts'
import { removeCredentials, setPassword } from './credentials.ts'
import { all, run, type SqlDatabase, type SqlParams, type SqlWork } from './database.ts'
import { endSessions, insertSession } from './sessions.ts'
import { insertUser, setUser } from './users.ts'

interface LinkRow {
  purpose: string
  user: string | null
  role: string | null
  email: string | null
  partner: string | null
  created: number
  expires: number
  used: number | null
  mailed: number | boolean
}

/** Opens the links. */
export function createLinks(db: SqlDatabase): LinkStore {
  const isOpenInvitation = "purpose = 'invitation' AND used IS NULL"
  const ofPartner = 'partner IS NOT DISTINCT FROM @partner'
  return {
    add: ({ mailed: _, ...link }, digest, record) =>
      db.transaction(function* () {
        yield* replaceLink({ userId: null, role: null, email: null, partnerId: null, ...link, digest })
        yield* writeRecord(record)
      }),
    byDigest: async digest => {
      const row = await db.get<LinkRow>('SELECT * FROM links WHERE digest = @digest', { digest })
      return row && linkOf(row)
    },
    mailed: async digest => void (await db.run('UPDATE links SET mailed = 1 WHERE digest = @digest', { digest })),
    invitationOf: async (email, nowMs) => {
      const row = await db.get<LinkRow & { digest: Buffer }>(
        `SELECT * FROM links WHERE email = @email AND ${isOpenInvitation} AND expires > @nowMs
         ORDER BY created DESC LIMIT 1`,
        { email, nowMs },
      )
      return row && { link: linkOf(row), digest: row.digest }
    },
    invitations: async (partnerId, nowMs) => {
      const rows = await db.all<LinkRow>(
        `SELECT * FROM links WHERE ${isOpenInvitation} AND ${ofPartner} AND expires > @nowMs ORDER BY created, email`,
        { partner: partnerId ?? null, nowMs },
      )
      return rows.map(linkOf)
    },
    endInvitation: (email, partnerId, record) =>
      db.transaction(function* () {
        const ended = yield* run(`DELETE FROM links WHERE ${isOpenInvitation} AND email = @email AND ${ofPartner}`, {
          email,
          partner: partnerId ?? null,
        })
        if (ended > 0) yield* writeRecord(record)
        return ended > 0
      }),
    use: (use, record) =>
      db.transaction(function* () {
        if (!(yield* useLink(use))) return false
        yield* writeRecord(record)
        return true
      }),
    end: async purpose => void (await db.run('DELETE FROM links WHERE purpose = @purpose', { purpose })),
  }
}

/** Stores a link in place of the unused ones for the same purpose and person. Part of a transaction. */
function* replaceLink(row: SqlParams): SqlWork<void> {
  yield* run(
    `DELETE FROM links WHERE used IS NULL AND purpose = @purpose AND "user" IS NOT DISTINCT FROM @userId
       AND email IS NOT DISTINCT FROM @email AND partner IS NOT DISTINCT FROM @partnerId`,
    row,
  )
  yield* run(
    `INSERT INTO links (digest, purpose, "user", role, email, partner, created, expires)
     VALUES (@digest, @purpose, @userId, @role, @email, @partnerId, @createdMs, @expiresMs)`,
    row,
  )
}

/** Uses a link; returns false if it has ended, or if its user was changed. Part of a transaction. */
function* useLink({ digest, nowMs, user, password, removesCredentials, session }: LinkUse): SqlWork<boolean> {
  if (!(yield* isCurrent(user))) return false
  const spent = yield* run(
    `UPDATE links SET used = CASE WHEN purpose <> 'demo' THEN @nowMs END
     WHERE digest = @digest AND used IS NULL AND expires > @nowMs`,
    { digest, nowMs },
  )
  if (spent === 0) return false
  if ('create' in user) yield* insertUser(user.create)
  else yield* setUser(user.change)
  const { id } = 'create' in user ? user.create : user.change
  if (removesCredentials) yield* removeCredentials(id)
  if (password !== undefined) {
    yield* setPassword(id, password)
    yield* endSessions(id)
  }
  if (session) yield* insertSession(session.session, session.digest)
  return true
}

/** Returns true if a user to be created does not exist, or one to be changed is still the same. */
function* isCurrent(user: LinkUse['user']): SqlWork<boolean> {
  const { email, id } = 'create' in user ? user.create : user.change
  const holders = yield* all<{ id: string; revision: number }>(
    'SELECT id, revision FROM users WHERE email = @email OR id = @id',
    { email, id },
  )
  if ('create' in user) return holders.length === 0
  return holders.every(holder => holder.id === id && holder.revision === user.change.revision)
}

const linkOf = (row: LinkRow): Link => ({
  purpose: row.purpose as LinkPurpose,
  ...(row.user !== null && { userId: row.user }),
  ...(row.role !== null && { role: row.role }),
  ...(row.email !== null && { email: row.email }),
  ...(row.partner !== null && { partnerId: row.partner }),
  createdMs: row.created,
  expiresMs: row.expires,
  ...(row.used !== null && { usedMs: row.used }),
  ...(Boolean(row.mailed) && { mailed: true }),
})
