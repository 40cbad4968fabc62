import type { EndedSessions, Session, SessionStore } from '../../domain/session.ts'
import { writeRecord } from './change-record.ts'
import { get, run, type SqlDatabase, type SqlWork } from './database.ts'
import { equals, type Term, where } from './terms.ts'
import { readUser } from './users.ts'

interface SessionRow {
  id: string
  user: string
  created: number
  seen: number
  proved: number | null
  address: string | null
  agent: string | null
}

/** Stores a session and the time of the sign-in. Part of a transaction. */
export function* insertSession(session: Session, digest: Buffer): SqlWork<void> {
  const { provedMs = null, address = null, agent = null } = session
  yield* run(
    `INSERT INTO sessions (digest, id, "user", created, seen, proved, address, agent)
     VALUES (@digest, @id, @userId, @createdMs, @seenMs, @provedMs, @address, @agent)`,
    { ...session, provedMs, address, agent, digest },
  )
  yield* run('UPDATE users SET last_sign_in = @createdMs WHERE id = @userId', { ...session })
}

/** Ends all sessions of a user. */
export const endSessions = (userId: string): SqlWork<number> =>
  run('DELETE FROM sessions WHERE "user" = @userId', { userId })

const select = 'SELECT id, "user", created, seen, proved, address, agent FROM sessions'

/** Opens the sessions. */
export const createSessions = (db: SqlDatabase): SessionStore => ({
  create: (session, digest, record) =>
    db.transaction(function* () {
      yield* insertSession(session, digest)
      yield* writeRecord(record)
    }),
  byDigest: digest =>
    db.perform(
      (function* () {
        const row = yield* get<SessionRow>(`${select} WHERE digest = @digest`, { digest })
        const user = row && (yield* readUser(db, row.user))
        return user?.state === 'active' ? { session: sessionOf(row!), user } : undefined
      })(),
    ),
  get: async id => {
    const row = await db.get<SessionRow>(`${select} WHERE id = @id`, { id })
    return row && sessionOf(row)
  },
  seen: async (id, { seenMs, provedMs = null }) =>
    void (await db.run(
      `UPDATE sessions SET seen = CASE WHEN seen > @seenMs THEN seen ELSE @seenMs END,
         proved = coalesce(@provedMs, proved) WHERE id = @id`,
      { id, seenMs, provedMs },
    )),
  list: async userId => {
    const { sql, params } = where(equals('"user"', 'userId', userId))
    const rows = await db.all<SessionRow>(`${select} ${sql} ORDER BY created DESC, id`, params)
    return rows.map(sessionOf)
  },
  end: (which, record) =>
    db.transaction(function* () {
      const { sql, params } = where(conditionsOf(which))
      const ended = yield* run(`DELETE FROM sessions ${sql}`, params)
      if (ended > 0) yield* writeRecord(record)
      return ended
    }),
})

function conditionsOf(which: EndedSessions): readonly Term[] {
  if ('id' in which) return equals('id', 'id', which.id)
  if ('all' in which) return []
  const { userId, exceptId } = which
  const others = exceptId === undefined ? [] : [{ sql: 'id <> @exceptId', params: { exceptId } }]
  return [...equals('"user"', 'userId', userId), ...others]
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
