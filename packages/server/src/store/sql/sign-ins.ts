import type { OpenSignIn, SignInKind, SignInStore } from '../../domain/session.ts'
import { get, run, type SqlDatabase, type SqlWork } from './database.ts'

const find = (digest: Buffer, kind: SignInKind, nowMs: number): SqlWork<OpenSignIn | undefined> =>
  get(
    `SELECT kind, data, expires AS "expiresMs" FROM sign_ins
     WHERE digest = @digest AND kind = @kind AND expires > @nowMs`,
    { digest, kind, nowMs },
  )

/** Opens the open sign-ins. */
export const createSignIns = (db: SqlDatabase): SignInStore => ({
  add: ({ kind, data, expiresMs }, digest, nowMs) =>
    db.transaction(function* () {
      yield* run('DELETE FROM sign_ins WHERE expires <= @nowMs', { nowMs })
      yield* run('INSERT INTO sign_ins (digest, kind, data, expires) VALUES (@digest, @kind, @data, @expiresMs)', {
        digest,
        kind,
        data,
        expiresMs,
      })
    }),
  get: (digest, kind, nowMs) => db.perform(find(digest, kind, nowMs)),
  take: (digest, kind, nowMs) =>
    db.transaction(function* () {
      const found = yield* find(digest, kind, nowMs)
      if (found) yield* run('DELETE FROM sign_ins WHERE digest = @digest', { digest })
      return found
    }),
})
