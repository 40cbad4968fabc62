import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Fault, fault } from '../domain/fault.ts'
import type { Key, KeyBySecret } from '../domain/key.ts'
import type { KeyReader } from '../domain/stores.ts'
import { digestSecret, isWellFormed } from './key-format.ts'

/** Finds the key of a presented secret, or refuses it. */
export interface Authenticator {
  authenticate(secret: string | undefined, nowMs: number): Key | Fault | Promise<Key | Fault>
  /** Drops all remembered keys; to be called when keys have changed. */
  clearCache(): void
}

/** `WWW-Authenticate` of every 401 (RFC 9110 §11.6.1). */
const challenge = { 'WWW-Authenticate': 'Bearer realm="Periplus", charset="UTF-8"' }

/**
 * Creates an authenticator that remembers the keys of up to `remembered` secrets. Unknown secrets are not remembered, so
 * that a key works from the moment of its creation.
 */
export function createAuthenticator(keys: KeyReader, pepper: KeyObject, remembered = 20_000): Authenticator {
  const known = new LRUCache<string, KeyBySecret>({ max: remembered })
  let generation = 0
  return {
    authenticate: (secret, nowMs) => {
      if (secret === undefined) {
        return refuse('key_missing', 'Send the API key in the X-API-Key header.')
      }
      const found = known.get(secret)
      if (found) return judge(found, nowMs)
      if (!isWellFormed(secret)) {
        return refuse(
          'key_malformed',
          'Check that the whole key was copied: peri_live_ or peri_test_ and 38 characters.',
        )
      }
      const before = generation
      return keys.bySecret(digestSecret(secret, pepper)).then(loaded => {
        if (!loaded) return refuse('key_unknown', 'It may belong to another service, or may have been mistyped.')
        // A key that changed during the look-up is answered as it was read, and not remembered.
        if (generation === before) known.set(secret, loaded)
        return judge(loaded, nowMs)
      })
    },
    clearCache: () => {
      generation++
      known.clear()
    },
  }
}

function judge({ key, expiresMs }: KeyBySecret, nowMs: number): Key | Fault {
  if (key.state === 'disabled') return refuse('key_disabled', 'The operator of this service can enable it again.')
  if (key.state === 'revoked') return refuse('key_revoked', 'Use another key.')
  if (expiresMs !== undefined && nowMs >= expiresMs) return refuse('key_expired', 'Use the newest key.')
  return key
}

const refuse = (
  code: 'key_missing' | 'key_malformed' | 'key_unknown' | 'key_disabled' | 'key_revoked' | 'key_expired',
  detail: string,
) => fault(code, { detail, headers: challenge })
