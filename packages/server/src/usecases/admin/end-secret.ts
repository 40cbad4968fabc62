import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { createKeyConflict } from './find-key.ts'
import { listSecrets } from './list-secrets.ts'
import { recordOf } from './record.ts'

/** The end of one secret, based on the revision that the caller read. */
export interface SecretEnd {
  readonly id: string
  readonly expectedRevision: number
  readonly secretId: string
}

/**
 * Ends one secret of a key now, whatever end it has, and returns the key. The other secrets stay valid. A secret that
 * has ended stays as it is, and nothing is written.
 */
export async function endSecret(
  { keys, clock }: { readonly keys: KeyAdmin; readonly clock: Clock },
  actor: Actor,
  { id, expectedRevision, secretId }: SecretEnd,
): Promise<Key | AdminFault> {
  const found = await listSecrets({ keys }, actor, { id })
  if (isAdminFault(found)) return found
  const { key, secrets } = found
  const secret = secrets.find(one => one.id === secretId)
  if (!secret) return adminFault('secret_unknown', ['secret_id'], { key: id, secret: secretId })
  const endMs = clock.nowMs()
  if (key.revision === expectedRevision && secret.expiresMs !== undefined && secret.expiresMs <= endMs) return key
  const record = recordOf(clock, actor, {
    action: 'key.end_secret',
    target: id,
    partnerId: key.partnerId,
    after: { secretId, endMs },
    ...(secret.expiresMs !== undefined && { before: { endMs: secret.expiresMs } }),
  })
  const ended = await keys.endSecret(id, expectedRevision, { id: secretId, endMs }, record)
  return ended ?? createKeyConflict(keys, actor, { id, expectedRevision })
}
