import type { KeySecret, NewSecret, StoredSecret } from '../../domain/key-secret.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { Sqlite } from '../connection.ts'
import type { AccessChange } from './access-change.ts'
import { createKeySwap } from './key-rows.ts'

interface SecretRow {
  id: number
  last4: string | null
  created_ms: number
  expires_ms: number | null
  last_used_day: string | null
  last_used_ms: number | null
  calls: number
}

/** A secret that may have an end, in milliseconds since 1970. */
export interface SecretToStore extends StoredSecret {
  readonly expiresMs?: number
}

/** Returns a function that adds a secret to a key. Call that function in a transaction. */
export function secretInsert(control: Sqlite): (keyId: string, secret: SecretToStore, createdMs: number) => void {
  const insert = control.prepare(
    `INSERT INTO key_secrets (digest, key_id, created_ms, expires_ms, id, last4)
     SELECT @digest, @keyId, @createdMs, @expiresMs, coalesce(max(id), 0) + 1, @last4
     FROM key_secrets WHERE key_id = @keyId`,
  )
  return (keyId, { digest, last4 = null, expiresMs }, createdMs) =>
    void insert.run({ keyId, digest, last4, createdMs, expiresMs: expiresMs ?? null })
}

/** Opens the secrets of keys. */
export function secretChanges(
  control: Sqlite,
  write: AccessChange,
): Pick<KeyAdmin, 'addSecret' | 'endSecret' | 'secrets'> {
  const swap = createKeySwap(control)
  const add = secretInsert(control)
  const end = 'UPDATE key_secrets SET expires_ms = min(coalesce(expires_ms, @endMs), @endMs) WHERE key_id = @keyId'
  const endAll = control.prepare(end)
  const countAgain = control.prepare<[string]>('UPDATE key_secrets SET calls = 0 WHERE key_id = ?')
  const endOne = control.prepare(`${end} AND id = @id`)
  const ofKey = control.prepare<[string], SecretRow>(
    'SELECT id, last4, created_ms, expires_ms, last_used_day, last_used_ms, calls FROM key_secrets WHERE key_id = ? ORDER BY id',
  )
  const rotate = write((id: string, expectedRevision: number, secret: NewSecret) => {
    const rotated = swap(id, expectedRevision, before => before)
    if (!rotated) return undefined
    endAll.run({ endMs: secret.othersExpireMs, keyId: id })
    countAgain.run(id)
    add(id, secret, secret.createdMs)
    return rotated
  })
  const endSecret = write((keyId: string, expectedRevision: number, secret: { id: string; endMs: number }) => {
    const changed = swap(keyId, expectedRevision, before => before)
    if (changed) endOne.run({ keyId, id: Number(secret.id), endMs: secret.endMs })
    return changed
  })
  return {
    addSecret: async (id, expectedRevision, secret, record) => rotate(id, expectedRevision, secret, record),
    endSecret: async (id, expectedRevision, secret, record) => endSecret(id, expectedRevision, secret, record),
    secrets: async id => ofKey.all(id).map(secretOf),
  }
}

const secretOf = (row: SecretRow): KeySecret => ({
  id: String(row.id),
  ...(row.last4 !== null && { last4: row.last4 }),
  createdMs: row.created_ms,
  ...(row.expires_ms !== null && { expiresMs: row.expires_ms }),
  ...(row.last_used_day !== null && { lastUsedDay: row.last_used_day }),
  ...(row.last_used_ms !== null && { lastUsedMs: row.last_used_ms }),
  calls: row.calls,
})
