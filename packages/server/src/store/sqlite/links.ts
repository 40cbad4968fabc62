import type { ChangeRecord } from '../../domain/change-record.ts'
import type { Link, LinkPurpose, LinkStore, LinkUse } from '../../domain/session.ts'
import type { Sqlite } from '../connection.ts'
import { createRecordWriter } from './change-record.ts'
import { prepareCredentialRemoval } from './credentials.ts'
import { prepareSessionInsert } from './sessions.ts'
import { prepareUserWrites } from './users.ts'

interface LinkRow {
  purpose: string
  user: string | null
  role: string | null
  email: string | null
  partner: string | null
  created: number
  expires: number
  used: number | null
  mailed: number
}

/** Opens the links in control.sqlite. */
export function createSqliteLinks(control: Sqlite): LinkStore {
  const write = createRecordWriter(control)
  const insert = control.prepare(
    `INSERT INTO links (digest, purpose, user, role, email, partner, created, expires)
     VALUES (@digest, @purpose, @userId, @role, @email, @partnerId, @createdMs, @expiresMs)`,
  )
  const replace = control.prepare(
    `DELETE FROM links WHERE used IS NULL AND purpose = @purpose AND user IS @userId AND email IS @email
       AND partner IS @partnerId`,
  )
  const one = control.prepare<[Buffer], LinkRow>('SELECT * FROM links WHERE digest = ?')
  const end = control.prepare('DELETE FROM links WHERE purpose = ?')
  const mailed = control.prepare('UPDATE links SET mailed = 1 WHERE digest = ?')
  const invitation = control.prepare<[string, number], LinkRow & { digest: Buffer }>(
    `SELECT * FROM links WHERE email = ? AND purpose = 'invitation' AND used IS NULL AND expires > ?
     ORDER BY created DESC LIMIT 1`,
  )
  const invitations = control.prepare<[string | null, number], LinkRow>(
    `SELECT * FROM links WHERE purpose = 'invitation' AND partner IS ? AND used IS NULL AND expires > ?
     ORDER BY created, email`,
  )
  const removeInvitation = control.prepare<[string, string | null]>(
    "DELETE FROM links WHERE purpose = 'invitation' AND used IS NULL AND email = ? AND partner IS ?",
  )
  const endInvitation = control.transaction((email: string, partnerId: string | null, record: ChangeRecord) => {
    const { changes } = removeInvitation.run(email, partnerId)
    if (changes > 0) write(record)
    return changes > 0
  }).immediate
  const add = control.transaction((link: Link, digest: Buffer, record: ChangeRecord) => {
    const row = { userId: null, role: null, email: null, partnerId: null, ...link, digest }
    replace.run(row)
    insert.run(row)
    write(record)
  }).immediate
  return {
    add: async (link, digest, record) => add(link, digest, record),
    byDigest: async digest => {
      const row = one.get(digest)
      return row && linkOf(row)
    },
    mailed: async digest => void mailed.run(digest),
    invitationOf: async (email, nowMs) => {
      const row = invitation.get(email, nowMs)
      return row && { link: linkOf(row), digest: row.digest }
    },
    invitations: async (partnerId, nowMs) => invitations.all(partnerId ?? null, nowMs).map(linkOf),
    endInvitation: async (email, partnerId, record) => endInvitation(email, partnerId ?? null, record),
    use: prepareUse(control),
    end: async purpose => void end.run(purpose),
  }
}

function prepareUse(control: Sqlite): LinkStore['use'] {
  const write = createRecordWriter(control)
  const spend = control.prepare(
    `UPDATE links SET used = iif(purpose = 'demo', NULL, @nowMs)
     WHERE digest = @digest AND used IS NULL AND expires > @nowMs`,
  )
  const { add, set } = prepareUserWrites(control)
  const holder = control.prepare<[string, string], { id: string; revision: number }>(
    'SELECT id, revision FROM users WHERE email = ? OR id = ?',
  )
  const isCurrent = (user: LinkUse['user']): boolean =>
    'create' in user
      ? holder.all(user.create.email, user.create.id).length === 0
      : holder
          .all(user.change.email, user.change.id)
          .every(({ id, revision }) => id === user.change.id && revision === user.change.revision)
  const setPassword = control.prepare('UPDATE users SET password = ? WHERE id = ?')
  const endSessions = control.prepare('DELETE FROM sessions WHERE user = ?')
  const addSession = prepareSessionInsert(control)
  const removeCredentials = prepareCredentialRemoval(control)
  const use = control.transaction((linkUse: LinkUse, record: ChangeRecord) => {
    const { digest, nowMs, user, password, removesCredentials, session } = linkUse
    if (!isCurrent(user) || spend.run({ digest, nowMs }).changes === 0) return false
    if ('create' in user) add(user.create)
    else set(user.change)
    const { id } = 'create' in user ? user.create : user.change
    if (removesCredentials) removeCredentials(id)
    if (password !== undefined) {
      setPassword.run(password, id)
      endSessions.run(id)
    }
    if (session) addSession(session.session, session.digest)
    write(record)
    return true
  }).immediate
  return async (linkUse, record) => use(linkUse, record)
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
  ...(row.mailed === 1 && { mailed: true }),
})
