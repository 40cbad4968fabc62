import type { ChangeRecord } from '../../domain/change-record.ts'
import type { CredentialChange, CredentialStore } from '../../domain/credentials.ts'
import { writeRecord } from './change-record.ts'
import { run, type SqlDatabase, type SqlWork } from './database.ts'
import { createPasskeys, removePasskeys } from './passkeys.ts'
import { endSessions } from './sessions.ts'

interface CredentialRow {
  password: string | null
  totp: Buffer | null
}

/** Opens passwords, second factors and passkeys. */
export const createCredentials = (db: SqlDatabase): CredentialStore => ({
  get: async userId => {
    const row = await db.get<CredentialRow>('SELECT password, totp FROM users WHERE id = @userId', { userId })
    return row && { ...(row.password !== null && { password: row.password }), ...(row.totp && { totp: row.totp }) }
  },
  useTotpStep: async (id, step) => {
    const sql = 'UPDATE users SET totp_step = @step WHERE id = @id AND totp_step < @step'
    return (await db.run(sql, { id, step })) === 1
  },
  useRecoveryCode: async (userId, digest) => {
    const sql = 'DELETE FROM recovery_codes WHERE "user" = @userId AND digest = @digest'
    return (await db.run(sql, { userId, digest })) === 1
  },
  change: (userId, changes, record) => db.transaction(() => changeCredentials(userId, changes, record)),
  reset: (userId, record) =>
    db.transaction(function* () {
      yield* setTotp(userId, null)
      yield* removeCodes(userId)
      yield* removePasskeys(userId)
      yield* endSessions(userId)
      yield* incrementRevision(userId)
      yield* writeRecord(record)
    }),
  ...createPasskeys(db),
})

/** Sets the password of a user. */
export const setPassword = (userId: string, password: string): SqlWork<number> =>
  run('UPDATE users SET password = @password WHERE id = @userId', { userId, password })

const setTotp = (userId: string, totp: CredentialChange['totp']): SqlWork<number> =>
  run('UPDATE users SET totp = @secret, totp_step = @step WHERE id = @userId', {
    userId,
    secret: totp?.secret ?? null,
    step: totp?.step ?? null,
  })

const removeCodes = (userId: string): SqlWork<number> =>
  run('DELETE FROM recovery_codes WHERE "user" = @userId', { userId })

const incrementRevision = (userId: string): SqlWork<number> =>
  run('UPDATE users SET revision = revision + 1 WHERE id = @userId', { userId })

/** Removes all credentials, sessions and unused links of a user. Part of a transaction. */
export function* removeCredentials(userId: string): SqlWork<void> {
  yield* run('UPDATE users SET password = NULL, totp = NULL, totp_step = NULL, oidc_sub = NULL WHERE id = @userId', {
    userId,
  })
  yield* removeCodes(userId)
  yield* removePasskeys(userId)
  yield* endSessions(userId)
  yield* run('DELETE FROM links WHERE "user" = @userId AND used IS NULL', { userId })
}

function* changeCredentials(userId: string, changes: CredentialChange, record: ChangeRecord): SqlWork<void> {
  const { password, totp, oidcSub, recoveryCodes, confirmsEmail } = changes
  if (confirmsEmail) {
    yield* removeCredentials(userId)
    yield* run('UPDATE users SET unconfirmed = 0 WHERE id = @userId', { userId })
  }
  if (password !== undefined) yield* setPassword(userId, password)
  if (totp !== undefined) yield* setTotp(userId, totp)
  if (oidcSub !== undefined) yield* run('UPDATE users SET oidc_sub = @oidcSub WHERE id = @userId', { userId, oidcSub })
  if (recoveryCodes !== undefined) {
    yield* removeCodes(userId)
    for (const digest of recoveryCodes)
      yield* run('INSERT INTO recovery_codes ("user", digest) VALUES (@userId, @digest)', { userId, digest })
  }
  yield* incrementRevision(userId)
  yield* writeRecord(record)
}
