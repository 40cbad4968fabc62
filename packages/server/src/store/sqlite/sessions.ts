import type { ChangeRecord } from '../../domain/change-record.ts'
import type { EndedSessions, Session, SessionStore } from '../../domain/session.ts'
import type { Sqlite } from '../connection.ts'
import { createRecordWriter } from './change-record.ts'
import { prepareUserRead } from './users.ts'

interface SessionRow {
  id: string
  user: string
  created: number
  seen: number
  proved: number | null
  address: string | null
  agent: string | null
}

/** Returns a function that stores a session and the time of the sign-in. Call it in a transaction. */
export function prepareSessionInsert(control: Sqlite): (session: Session, digest: Buffer) => void {
  const add = control.prepare(
    `INSERT INTO sessions (digest, id, user, created, seen, proved, address, agent)
     VALUES (@digest, @id, @userId, @createdMs, @seenMs, @provedMs, @address, @agent)`,
  )
  const signedIn = control.prepare('UPDATE users SET last_sign_in = ? WHERE id = ?')
  return (session, digest) => {
    const { provedMs = null, address = null, agent = null } = session
    add.run({ ...session, provedMs, address, agent, digest })
    signedIn.run(session.createdMs, session.userId)
  }
}

/** Opens the sessions in control.sqlite. */
export function createSqliteSessions(control: Sqlite): SessionStore {
  const write = createRecordWriter(control)
  const add = prepareSessionInsert(control)
  const user = prepareUserRead(control)
  const columns = 'id, user, created, seen, proved, address, agent'
  const byDigest = control.prepare<[Buffer], SessionRow>(`SELECT ${columns} FROM sessions WHERE digest = ?`)
  const byId = control.prepare<[string], SessionRow>(`SELECT ${columns} FROM sessions WHERE id = ?`)
  const list = control.prepare<[{ user: string | null }], SessionRow>(
    `SELECT ${columns} FROM sessions WHERE @user IS NULL OR user = @user ORDER BY created DESC, id`,
  )
  const seen = control.prepare(
    'UPDATE sessions SET seen = max(seen, @seenMs), proved = coalesce(@provedMs, proved) WHERE id = @id',
  )
  const remove = control.prepare(
    'DELETE FROM sessions WHERE (@id IS NULL OR id = @id) AND (@user IS NULL OR user = @user) AND id IS NOT @except',
  )
  const create = control.transaction((session: Session, digest: Buffer, record: ChangeRecord) => {
    add(session, digest)
    write(record)
  }).immediate
  const end = control.transaction((which: EndedSessions, record: ChangeRecord) => {
    const { changes } = remove.run({ id: null, user: null, except: null, ...selectorOf(which) })
    if (changes > 0) write(record)
    return changes
  }).immediate
  return {
    create: async (session, digest, record) => create(session, digest, record),
    byDigest: async digest => {
      const row = byDigest.get(digest)
      const found = row && user(row.user)
      return found?.state === 'active' ? { session: sessionOf(row!), user: found } : undefined
    },
    get: async id => {
      const row = byId.get(id)
      return row && sessionOf(row)
    },
    seen: async (id, { seenMs, provedMs = null }) => void seen.run({ id, seenMs, provedMs }),
    list: async (userId = undefined) => list.all({ user: userId ?? null }).map(sessionOf),
    end: async (which, record) => end(which, record),
  }
}

function selectorOf(which: EndedSessions): { id?: string; user?: string; except?: string } {
  if ('id' in which) return { id: which.id }
  if ('all' in which) return {}
  return { user: which.userId, ...(which.exceptId !== undefined && { except: which.exceptId }) }
}

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  userId: row.user,
  createdMs: row.created,
  seenMs: row.seen,
  ...(row.proved !== null && { provedMs: row.proved }),
  ...(row.address !== null && { address: row.address }),
  ...(row.agent !== null && { agent: row.agent }),
})
