import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestKey } from '../domain/key.fixture.ts'
import type { KeyBySecret } from '../domain/key.ts'
import { createAuthenticator } from './authenticate.ts'
import { createSecret, digestSecret } from './key-format.ts'

const pepper = createSecretKey(Buffer.from('pepper'))
const secret = createSecret('live')
const key = createTestKey({ id: 'k' })

const address = '203.0.113.7'

/** Creates an authenticator on a store with one key, which counts the lookups. */
function storeWith(first: KeyBySecret | undefined) {
  const store = { holds: first, lookups: 0 }
  const keys = {
    bySecret: async (digest: Buffer) => {
      store.lookups++
      return digest.equals(digestSecret(secret, pepper)) ? store.holds : undefined
    },
    revision: async () => 0,
  }
  return { store, at: createAuthenticator(keys, pepper) }
}

describe('authentication (R-01, R-02)', () => {
  it.each<[string, Omit<KeyBySecret, 'secretId'> | undefined, string | undefined, number, string]>([
    ['a good key', { key }, secret, 0, 'k'],
    ['no key', { key }, undefined, 0, 'key_missing'],
    ['a text that is not a key', { key }, 'x', 0, 'key_malformed'],
    ['an empty key', { key }, '', 0, 'key_malformed'],
    ['an unknown key', { key }, createSecret('live'), 0, 'key_unknown'],
    ['disabled', { key: { ...key, state: 'disabled' } }, secret, 0, 'key_disabled'],
    ['revoked', { key: { ...key, state: 'revoked' } }, secret, 0, 'key_revoked'],
    ['rotated, within the overlap', { key, expiresMs: 1000 }, secret, 999, 'k'],
    ['rotated, at the end of the overlap', { key, expiresMs: 1000 }, secret, 1000, 'key_expired'],
    ['before its end', { key: { ...key, expiresMs: 1000 } }, secret, 999, 'k'],
    ['at its end', { key: { ...key, expiresMs: 1000 } }, secret, 1000, 'key_ended'],
    ['disabled and ended', { key: { ...key, state: 'disabled', expiresMs: 1 } }, secret, 1, 'key_disabled'],
    ['in its networks', { key: { ...key, networks: ['10.0.0.0/8', '203.0.113.0/24'] } }, secret, 0, 'k'],
    ['outside its networks', { key: { ...key, networks: ['10.0.0.0/8'] } }, secret, 0, 'address_refused'],
    ['created in the future (R-29)', { key: { ...key, createdMs: 9e12 } }, secret, 0, 'k'],
  ])('%s', async (_name, held, presented, nowMs, expected) => {
    const holds = held && { ...held, secretId: '1' }
    const outcome = await storeWith(holds).at.authenticate(presented, address, nowMs)
    expect('fault' in outcome ? outcome.fault : outcome.key.id).toBe(expected)
    if ('fault' in outcome && expected !== 'address_refused')
      expect(outcome.headers?.['WWW-Authenticate']).toMatch(/^Bearer /)
  })

  it('looks up a good key once and a malformed key never', async () => {
    const { store, at } = storeWith({ secretId: '1', key })
    for (let i = 0; i < 5; i++) await at.authenticate(secret, address, 0)
    for (const wrong of ['x', `${secret}0`, secret.slice(0, -1)]) await at.authenticate(wrong, address, 0)
    expect(store.lookups).toBe(1)
  })

  it('does not cache unknown keys', async () => {
    const { store, at } = storeWith(undefined)
    expect(await at.authenticate(secret, address, 0)).toMatchObject({ fault: 'key_unknown' })
    store.holds = { secretId: '1', key }
    expect(await at.authenticate(secret, address, 0)).toMatchObject({ key: { id: 'k' }, secretId: '1' })
  })

  it('checks the expiry of a cached key on every call, and looks it up again after clearCache', async () => {
    const { store, at } = storeWith({ secretId: '1', key, expiresMs: 1000 })
    expect(await at.authenticate(secret, address, 999)).toMatchObject({ key: { id: 'k' }, secretId: '1' })
    expect(await at.authenticate(secret, address, 1000)).toMatchObject({ fault: 'key_expired' })
    store.holds = { secretId: '1', key: { ...key, state: 'revoked' } }
    at.clearCache()
    expect(await at.authenticate(secret, address, 0)).toMatchObject({ fault: 'key_revoked' })
  })
})

it('does not cache a key that changes during the lookup', async () => {
  const lookups: PromiseWithResolvers<KeyBySecret | undefined>[] = []
  const keys = {
    bySecret: () => {
      const lookup = Promise.withResolvers<KeyBySecret | undefined>()
      lookups.push(lookup)
      return lookup.promise
    },
    revision: async () => 0,
  }
  const at = createAuthenticator(keys, pepper)
  const before = at.authenticate(secret, address, 0)
  // The store has read the key; then the key is revoked, and the result of the lookup arrives.
  at.clearCache()
  lookups[0]!.resolve({ secretId: '1', key })
  expect(await before).toEqual({ secretId: '1', key })
  const after = at.authenticate(secret, address, 0)
  lookups[1]!.resolve({ secretId: '1', key: { ...key, state: 'revoked' } })
  expect(await after).toMatchObject({ fault: 'key_revoked' })
})
