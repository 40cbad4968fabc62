import type { Key } from '../../domain/key.ts'
import type { Sqlite } from '../connection.ts'
import { keyColumns } from './key-rows.ts'
import { type SecretToStore, secretInsert } from './key-secrets.ts'

/** Stores a key with its first secret; returns false if its partner is not open. Call it in a transaction. */
export type KeyInsert = (key: Key, secret: SecretToStore) => boolean

/** Returns the function that stores new keys. */
export function keyInsert(control: Sqlite): KeyInsert {
  const addKey = control.prepare(
    `INSERT INTO keys (id, partner_id, name, test, package, add_ons, agreement, scope, feed_pins, state, notes,
       expires_ms, networks, created_ms, revision)
     VALUES (@id, @partnerId, @name, @test, @package, @addOns, @agreement, @scope, @feedPins, @state, @notes,
       @expiresMs, @networks, @createdMs, @revision)`,
  )
  const addSecret = secretInsert(control)
  const isOpen = control.prepare<[string], 1>("SELECT 1 FROM partners WHERE id = ? AND state = 'open'").pluck()
  return (key, secret) => {
    if (isOpen.get(key.partnerId) === undefined) return false
    addKey.run(keyColumns(key))
    addSecret(key.id, secret, key.createdMs)
    return true
  }
}
