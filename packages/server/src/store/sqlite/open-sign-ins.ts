import type { OpenSignIn, SignInKind, SignInStore } from '../../domain/session.ts'
import type { Sqlite } from '../connection.ts'

/** Opens the open sign-ins in control.sqlite. */
export function createSqliteSignIns(control: Sqlite): SignInStore {
  const select = 'SELECT kind, data, expires AS expiresMs FROM sign_ins WHERE digest = ? AND kind = ? AND expires > ?'
  const one = control.prepare<[Buffer, SignInKind, number], OpenSignIn>(select)
  const insert = control.prepare('INSERT INTO sign_ins (digest, kind, data, expires) VALUES (?, ?, ?, ?)')
  const expire = control.prepare('DELETE FROM sign_ins WHERE expires <= ?')
  const remove = control.prepare('DELETE FROM sign_ins WHERE digest = ?')
  const add = control.transaction(({ kind, data, expiresMs }: OpenSignIn, digest: Buffer, nowMs: number) => {
    expire.run(nowMs)
    insert.run(digest, kind, data, expiresMs)
  }).immediate
  const take = control.transaction((digest: Buffer, kind: SignInKind, nowMs: number) => {
    const found = one.get(digest, kind, nowMs)
    if (found) remove.run(digest)
    return found
  }).immediate
  return {
    add: async (signIn, digest, nowMs) => add(signIn, digest, nowMs),
    get: async (digest, kind, nowMs) => one.get(digest, kind, nowMs),
    take: async (digest, kind, nowMs) => take(digest, kind, nowMs),
  }
}
