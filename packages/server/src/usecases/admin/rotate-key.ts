import type { Key, SecretMint } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/stores.ts'

/**
 * A new secret for the same key; the old ones end after `overlapMs`. Limits and usage go on: they belong to the key
 * record, not to a secret.
 */
export async function rotateKey(
  keys: KeyAdmin,
  mint: SecretMint,
  key: Key,
  nowMs: number,
  overlapMs: number,
): Promise<string> {
  const secret = mint.create(key.test ? 'test' : 'live')
  await keys.addSecret(key.id, mint.digest(secret), nowMs, nowMs + overlapMs)
  return secret
}
