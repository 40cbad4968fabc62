import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import { type SecretMint, toStoredSecret } from '../../domain/key-secret.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { explorerKeyId } from '../../domain/own-key.ts'
import type { Clock } from '../../kit/clock.ts'
import { dayMs } from '../../kit/time.ts'
import { createKeyConflict, findKey } from './find-key.ts'
import { keyEvent } from './key-event.ts'
import { isPartnerUser } from './own-keys.ts'
import { recordOf } from './record.ts'

/** A rotation of a key, based on the revision that the caller read. */
export interface Rotation {
  readonly id: string
  readonly expectedRevision: number
  /** Time for which earlier secrets stay valid, in milliseconds. */
  readonly overlapMs: number
}

/** Longest overlap, milliseconds: a million days. */
const maxOverlapMs = 1_000_000 * dayMs

/**
 * Adds a secret to a key; earlier secrets expire after the overlap. Limits and usage are unaffected: they belong to the
 * key record, not to a secret. Only this function returns the secret.
 */
export async function rotateKey(
  { keys, mint, clock }: { readonly keys: KeyAdmin; readonly mint: SecretMint; readonly clock: Clock },
  actor: Actor,
  { id, expectedRevision, overlapMs }: Rotation,
): Promise<{ readonly key: Key; readonly secret: string; readonly othersExpireMs: number } | AdminFault> {
  const before = await findKey(keys, actor, id)
  if (isAdminFault(before)) return before
  if (before.state === 'revoked') return adminFault('key_revoked', ['id'], { key: id })
  // The secrets of an explorer key end after hours: one that stays would be a test key beyond the bound.
  if (isPartnerUser(actor) && id === explorerKeyId(before.partnerId))
    return adminFault('not_permitted', [], { permission: 'keys:write' })
  if (!Number.isSafeInteger(overlapMs) || overlapMs < 0 || overlapMs > maxOverlapMs)
    return adminFault('overlap_invalid', ['overlap_ms'], { overlapMs, maxMs: maxOverlapMs })
  const secret = mint.create(before.test ? 'test' : 'live')
  const createdMs = clock.nowMs()
  const othersExpireMs = createdMs + overlapMs
  const record = recordOf(clock, actor, {
    action: 'key.rotate',
    target: id,
    partnerId: before.partnerId,
    after: { overlapMs, othersExpireMs },
    events: [
      keyEvent(
        'key.rotated',
        { ...before, revision: expectedRevision + 1 },
        { others_expire_at: new Date(othersExpireMs).toISOString() },
      ),
    ],
  })
  const added = { ...toStoredSecret(secret, mint), createdMs, othersExpireMs }
  const key = await keys.addSecret(id, expectedRevision, added, record)
  return key ? { key, secret, othersExpireMs } : createKeyConflict(keys, actor, { id, expectedRevision })
}
