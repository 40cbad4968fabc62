import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Fault, fault } from '../domain/fault.ts'
import type { Key, KeyBySecret } from '../domain/key.ts'
import type { KeyReader } from '../domain/key-stores.ts'
import { digestSecret, isWellFormed } from './key-format.ts'
import { isInNetworks } from './networks.ts'

/** Finds the key of a presented secret, or refuses it. */
export interface Authenticator {
  /** Authenticates a secret; `address` is that of the client, as the nearest trusted proxy reports it. */
  authenticate(
    secret: string | undefined,
    address: string,
    nowMs: number,
  ): KeyBySecret | Fault | Promise<KeyBySecret | Fault>
  /** Returns the key of a secret if it is in memory, usable or not. */
  recall(secret: string | undefined): Key | undefined
  /** Clears the cache. Call it when keys have changed. */
  clearCache(): void
}

/** `WWW-Authenticate` of every 401 (RFC 9110 §11.6.1). */
const challenge = { 'WWW-Authenticate': 'Bearer realm="Periplus", charset="UTF-8"' }

/**
 * Creates an authenticator that caches the keys of up to `cacheSize` secrets. Unknown secrets are not cached, so that a
 * key works as soon as it is created.
 */
export function createAuthenticator(keys: KeyReader, pepper: KeyObject, cacheSize = 20_000): Authenticator {
  const cache = new LRUCache<string, KeyBySecret>({ max: cacheSize })
  let generation = 0
  return {
    authenticate: (secret, address, nowMs) => {
      if (secret === undefined) {
        return refuse('key_missing', 'Send the API key in the X-API-Key header.')
      }
      const cached = cache.get(secret)
      if (cached) return checkKey(cached, address, nowMs)
      if (!isWellFormed(secret)) {
        return refuse(
          'key_malformed',
          'Check that the entire key was copied: peri_live_ or peri_test_, then 38 characters.',
        )
      }
      const generationBefore = generation
      return keys.bySecret(digestSecret(secret, pepper)).then(loaded => {
        if (!loaded) return refuse('key_unknown', 'The key may belong to another service or contain a typing error.')
        // Do not cache a key that may have changed during the lookup.
        if (generation === generationBefore) cache.set(secret, loaded)
        return checkKey(loaded, address, nowMs)
      })
    },
    recall: secret => (secret === undefined ? undefined : cache.get(secret)?.key),
    clearCache: () => {
      generation++
      cache.clear()
    },
  }
}

/** Returns the key if it is active, has not ended, and can be used from the address, otherwise the fault. */
function checkKey(known: KeyBySecret, address: string, nowMs: number): KeyBySecret | Fault {
  const { key, expiresMs } = known
  if (key.state === 'disabled') return refuse('key_disabled', 'Ask the operator of this service to enable the key.')
  if (key.state === 'revoked') return refuse('key_revoked', 'Use another key.')
  if (expiresMs !== undefined && nowMs >= expiresMs)
    return refuse('key_expired', 'This secret was replaced by a rotation. Use the new one.')
  if (key.expiresMs !== undefined && nowMs >= key.expiresMs) {
    const ended = new Date(key.expiresMs).toUTCString()
    return refuse('key_ended', `The key ended on ${ended}. Ask the operator of this service to extend it.`)
  }
  return key.networks === undefined || isInNetworks(address, key.networks) ? known : refuseAddress(address)
}

const refuseAddress = (address: string): Fault =>
  fault('address_refused', {
    detail: `Requests from ${address} are not accepted with this key. Send them from a network that was agreed, or ask the operator of this service to add the address.`,
  })

const refuse = (
  code: 'key_missing' | 'key_malformed' | 'key_unknown' | 'key_disabled' | 'key_revoked' | 'key_expired' | 'key_ended',
  detail: string,
) => fault(code, { detail, headers: challenge })
