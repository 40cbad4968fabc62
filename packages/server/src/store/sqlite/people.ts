import type { People } from '../../domain/people.ts'
import { dayMs } from '../../kit/time.ts'
import type { Sqlite } from '../connection.ts'
import { createSqliteCredentials } from './credentials.ts'
import { createSqliteLinks } from './links.ts'
import { createSqliteSignIns } from './open-sign-ins.ts'
import { createSqliteSessions } from './sessions.ts'
import { createSqliteUsers } from './users.ts'

/** Opens the stores of people who sign in. The connection has synchronous FULL: a returned change is on disk. */
export function createSqlitePeople(control: Sqlite): People {
  const oldSessions = control.prepare('DELETE FROM sessions WHERE seen < ? OR created < ?')
  const oldLinks = control.prepare('DELETE FROM links WHERE expires < ?')
  const oldSignIns = control.prepare('DELETE FROM sign_ins WHERE expires <= ?')
  const everything = ['sessions', 'links', 'sign_ins'].map(table => control.prepare(`DELETE FROM ${table}`))
  return {
    users: createSqliteUsers(control),
    credentials: createSqliteCredentials(control),
    sessions: createSqliteSessions(control),
    links: createSqliteLinks(control),
    signIns: createSqliteSignIns(control),
    prune: async ({ seenBeforeMs, createdBeforeMs, nowMs }) => {
      oldSessions.run(seenBeforeMs, createdBeforeMs)
      // Used links are kept for a while, so that opening one again says that it was used.
      oldLinks.run(nowMs - keptLinksMs)
      oldSignIns.run(nowMs)
    },
    signOutEverybody: async () =>
      control.transaction(() => everything.forEach(statement => void statement.run())).immediate(),
  }
}

/** Time for which ended links are kept, in milliseconds. */
const keptLinksMs = 30 * dayMs
