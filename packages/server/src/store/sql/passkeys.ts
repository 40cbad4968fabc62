import type { ChangeRecord } from '../../domain/change-record.ts'
import type { CredentialStore, Passkey } from '../../domain/credentials.ts'
import { writeRecord } from './change-record.ts'
import { run, type SqlDatabase, type SqlWork } from './database.ts'

interface PasskeyRow {
  id: string
  user: string
  public_key: Buffer
  counter: number
  name: string
  created: number
}

type Passkeys = Pick<CredentialStore, 'passkeys' | 'passkey' | 'addPasskey' | 'usedPasskey' | 'removePasskey'>

/** Opens the passkeys. */
export const createPasskeys = (db: SqlDatabase): Passkeys => ({
  passkeys: async userId => {
    const sql = 'SELECT * FROM passkeys WHERE "user" = @userId ORDER BY created, id'
    return (await db.all<PasskeyRow>(sql, { userId })).map(passkeyOf)
  },
  passkey: async id => {
    const row = await db.get<PasskeyRow>('SELECT * FROM passkeys WHERE id = @id', { id })
    return row && passkeyOf(row)
  },
  addPasskey: (passkey, record) =>
    db.transaction(() =>
      recorded(
        record,
        run(
          `INSERT INTO passkeys (id, "user", public_key, counter, name, created)
           VALUES (@id, @userId, @publicKey, @counter, @name, @createdMs) ON CONFLICT (id) DO NOTHING`,
          { ...passkey },
        ),
      ),
    ),
  usedPasskey: async (id, counter) =>
    void (await db.run('UPDATE passkeys SET counter = @counter WHERE id = @id', { id, counter })),
  removePasskey: (userId, id, record) =>
    db.transaction(() =>
      recorded(record, run('DELETE FROM passkeys WHERE "user" = @userId AND id = @id', { userId, id })),
    ),
})

/** Writes the record of a change unless it changed nothing. Part of a transaction. */
function* recorded(record: ChangeRecord, change: SqlWork<number>): SqlWork<boolean> {
  const changed = (yield* change) > 0
  if (changed) yield* writeRecord(record)
  return changed
}

/** Removes the passkeys of a user. */
export const removePasskeys = (userId: string): SqlWork<number> =>
  run('DELETE FROM passkeys WHERE "user" = @userId', { userId })

const passkeyOf = (row: PasskeyRow): Passkey => ({
  id: row.id,
  userId: row.user,
  publicKey: row.public_key,
  counter: row.counter,
  name: row.name,
  createdMs: row.created,
})
