import type { ChangeRecord } from '../../domain/change-record.ts'
import type { CredentialChange, CredentialStore, Passkey } from '../../domain/credentials.ts'
import type { Sqlite } from '../connection.ts'
import { createRecordWriter } from './change-record.ts'

interface CredentialRow {
  password: string | null
  totp: Buffer | null
}

/** Opens passwords, second factors and passkeys in control.sqlite. */
export function createSqliteCredentials(control: Sqlite): CredentialStore {
  const one = control.prepare<[string], CredentialRow>('SELECT password, totp FROM users WHERE id = ?')
  const step = control.prepare('UPDATE users SET totp_step = @step WHERE id = @id AND totp_step < @step')
  const useCode = control.prepare('DELETE FROM recovery_codes WHERE user = ? AND digest = ?')
  return {
    get: async userId => {
      const row = one.get(userId)
      return row && { ...(row.password !== null && { password: row.password }), ...(row.totp && { totp: row.totp }) }
    },
    useTotpStep: async (id, value) => step.run({ id, step: value }).changes === 1,
    useRecoveryCode: async (userId, digest) => useCode.run(userId, digest).changes === 1,
    ...credentialChanges(control),
    ...passkeyStore(control),
  }
}

/** Returns a function that removes all credentials, sessions and unused links of a user. Call it in a transaction. */
export function prepareCredentialRemoval(control: Sqlite): (userId: string) => void {
  const statements = [
    'UPDATE users SET password = NULL, totp = NULL, totp_step = NULL, oidc_sub = NULL WHERE id = ?',
    'DELETE FROM recovery_codes WHERE user = ?',
    'DELETE FROM passkeys WHERE user = ?',
    'DELETE FROM sessions WHERE user = ?',
    'DELETE FROM links WHERE user = ? AND used IS NULL',
  ].map(sql => control.prepare<[string]>(sql))
  return userId => statements.forEach(statement => void statement.run(userId))
}

function credentialChanges(control: Sqlite): Pick<CredentialStore, 'change' | 'reset'> {
  const write = createRecordWriter(control)
  const setPassword = control.prepare('UPDATE users SET password = ? WHERE id = ?')
  const setTotp = control.prepare('UPDATE users SET totp = ?, totp_step = ? WHERE id = ?')
  const setSub = control.prepare('UPDATE users SET oidc_sub = ? WHERE id = ?')
  const increment = control.prepare('UPDATE users SET revision = revision + 1 WHERE id = ?')
  const removeCodes = control.prepare('DELETE FROM recovery_codes WHERE user = ?')
  const addCode = control.prepare('INSERT INTO recovery_codes (user, digest) VALUES (?, ?)')
  const removePasskeys = control.prepare('DELETE FROM passkeys WHERE user = ?')
  const endSessions = control.prepare('DELETE FROM sessions WHERE user = ?')
  const removeAll = prepareCredentialRemoval(control)
  const confirm = control.prepare('UPDATE users SET unconfirmed = 0 WHERE id = ?')
  const change = control.transaction((id: string, changes: CredentialChange, record: ChangeRecord) => {
    const { password, totp, oidcSub, recoveryCodes, confirmsEmail } = changes
    if (confirmsEmail) {
      removeAll(id)
      confirm.run(id)
    }
    if (password !== undefined) setPassword.run(password, id)
    if (totp !== undefined) setTotp.run(totp?.secret ?? null, totp?.step ?? null, id)
    if (oidcSub !== undefined) setSub.run(oidcSub, id)
    if (recoveryCodes !== undefined) {
      removeCodes.run(id)
      for (const digest of recoveryCodes) addCode.run(id, digest)
    }
    increment.run(id)
    write(record)
  }).immediate
  const reset = control.transaction((id: string, record: ChangeRecord) => {
    setTotp.run(null, null, id)
    for (const statement of [removeCodes, removePasskeys, endSessions, increment]) statement.run(id)
    write(record)
  }).immediate
  return {
    change: async (userId, changes, record) => change(userId, changes, record),
    reset: async (userId, record) => reset(userId, record),
  }
}

interface PasskeyRow {
  id: string
  user: string
  public_key: Buffer
  counter: number
  name: string
  created: number
}

type PasskeyStore = Pick<CredentialStore, 'passkeys' | 'passkey' | 'addPasskey' | 'usedPasskey' | 'removePasskey'>

function passkeyStore(control: Sqlite): PasskeyStore {
  const write = createRecordWriter(control)
  const ofUser = control.prepare<[string], PasskeyRow>('SELECT * FROM passkeys WHERE user = ? ORDER BY created, id')
  const one = control.prepare<[string], PasskeyRow>('SELECT * FROM passkeys WHERE id = ?')
  const insert = control.prepare(
    `INSERT INTO passkeys (id, user, public_key, counter, name, created)
     VALUES (@id, @userId, @publicKey, @counter, @name, @createdMs) ON CONFLICT (id) DO NOTHING`,
  )
  const used = control.prepare('UPDATE passkeys SET counter = ? WHERE id = ?')
  const remove = control.prepare('DELETE FROM passkeys WHERE user = ? AND id = ?')
  const recorded = (done: { changes: number }, record: ChangeRecord) => {
    if (done.changes > 0) write(record)
    return done.changes > 0
  }
  const add = control.transaction((passkey: Passkey, record: ChangeRecord) => recorded(insert.run(passkey), record))
  const drop = control.transaction((userId: string, id: string, record: ChangeRecord) =>
    recorded(remove.run(userId, id), record),
  )
  return {
    passkeys: async userId => ofUser.all(userId).map(passkeyOf),
    passkey: async id => {
      const row = one.get(id)
      return row && passkeyOf(row)
    },
    addPasskey: async (passkey, record) => add.immediate(passkey, record),
    usedPasskey: async (id, counter) => void used.run(counter, id),
    removePasskey: async (userId, id, record) => drop.immediate(userId, id, record),
  }
}

const passkeyOf = (row: PasskeyRow): Passkey => ({
  id: row.id,
  userId: row.user,
  publicKey: row.public_key,
  counter: row.counter,
  name: row.name,
  createdMs: row.created,
})
