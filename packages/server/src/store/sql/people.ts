import type { People } from '../../domain/people.ts'
import { dayMs } from '../../kit/time.ts'
import { createCredentials } from './credentials.ts'
import { run, type SqlDatabase } from './database.ts'
import { createLinks } from './links.ts'
import { createSessions } from './sessions.ts'
import { createSignIns } from './sign-ins.ts'
import { createUsers } from './users.ts'

/** Time for which ended links are kept, in milliseconds. */
const keptLinksMs = 30 * dayMs

/** Opens the stores of people who sign in. */
export const createPeople = (db: SqlDatabase): People => ({
  users: createUsers(db),
  credentials: createCredentials(db),
  sessions: createSessions(db),
  links: createLinks(db),
  signIns: createSignIns(db),
  prune: async ({ seenBeforeMs, createdBeforeMs, nowMs }) => {
    await db.run('DELETE FROM sessions WHERE seen < @seenBeforeMs OR created < @createdBeforeMs', {
      seenBeforeMs,
      createdBeforeMs,
    })
    // Used links are kept for a while, so that opening one again says that it was used.
    await db.run('DELETE FROM links WHERE expires < @beforeMs', { beforeMs: nowMs - keptLinksMs })
    await db.run('DELETE FROM sign_ins WHERE expires <= @nowMs', { nowMs })
  },
  signOutEverybody: () =>
    db.transaction(function* () {
      for (const table of ['sessions', 'links', 'sign_ins']) yield* run(`DELETE FROM ${table}`)
    }),
})
