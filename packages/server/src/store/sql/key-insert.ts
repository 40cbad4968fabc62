import type { Key } from '../../domain/key.ts'
import { get, run, type SqlWork } from './database.ts'
import { keyColumns } from './key-rows.ts'
import { insertSecret, type SecretToStore } from './key-secrets.ts'

/** Stores a key with its first secret; returns false if its partner is not open. Part of a transaction. */
export function* insertKey(key: Key, secret: SecretToStore): SqlWork<boolean> {
  const { id, partnerId } = key
  const partner = yield* get("SELECT id FROM partners WHERE id = @partnerId AND state = 'open'", { partnerId })
  if (!partner) return false
  yield* run(
    `INSERT INTO keys (id, partner_id, name, test, package, add_ons, agreement, scope, feed_pins, state, notes,
       expires_ms, networks, created_ms, revision)
     VALUES (@id, @partnerId, @name, @test, @package, @addOns, @agreement, @scope, @feedPins, @state, @notes,
       @expiresMs, @networks, @createdMs, @revision)`,
    keyColumns(key),
  )
  yield* insertSecret(id, secret, key.createdMs)
  return true
}
