import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key, SecretMint } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { createKeyConflict, findKey } from './find-key.ts'

/** A rotation of a key, based on the revision that the caller read. */
export interface Rotation {
  readonly id: string
  readonly expectedRevision: number
  /** Time for which earlier secrets stay valid, in milliseconds. */
  readonly overlapMs: number
}

/** Longest overlap, milliseconds: a million days. */
const maxOverlapMs = 1_000_000 * 86_400_000

/**
 * Adds a secret to a key; earlier secrets expire after the overlap. Limits and usage are unaffected: they belong to the
 * key record, not to a secret. Only this function returns the secret.
 */
export async function rotateKey(
  { keys, mint, clock }: { readonly keys: KeyAdmin; readonly mint: SecretMint; readonly clock: Clock },
  _actor: Actor,
  { id, expectedRevision, overlapMs }: Rotation,
): Promise<{ readonly key: Key; readonly secret: string; readonly othersExpireMs: number } | AdminFault> {
  const before = await findKey(keys, id)
  if (isAdminFault(before)) return before
  if (before.state === 'revoked') return adminFault('key_revoked', ['id'], { key: id })
  if (!Number.isSafeInteger(overlapMs) || overlapMs < 0 || overlapMs > maxOverlapMs)
    return adminFault('overlap_invalid', ['overlap_ms'], { overlapMs, maxMs: maxOverlapMs })
  const secret = mint.create(before.test ? 'test' : 'live')
  const createdMs = clock.nowMs()
  const othersExpireMs = createdMs + overlapMs
  const key = await keys.addSecret(id, expectedRevision, { digest: mint.digest(secret), createdMs, othersExpireMs })
  return key ? { key, secret, othersExpireMs } : createKeyConflict(keys, id, expectedRevision)
}
