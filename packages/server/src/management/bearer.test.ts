import { expect, test } from 'vitest'
import type { AdminToken, TokenStore } from '../domain/admin-token.ts'
import { systemClock } from '../kit/clock.ts'
import { BearerTokens } from './bearer.ts'

const token: AdminToken = {
  id: 'token_1',
  name: 'test',
  permissions: ['keys:read'],
  maker: 'cli:test',
  createdMs: 0,
  expiresMs: Number.MAX_SAFE_INTEGER,
}

/** A store with one token, whose secret is `good`. */
const tokens = {
  byDigest: async (digest: Buffer) => (digest.toString() === 'good' ? token : undefined),
  used: async () => {},
} satisfies Partial<TokenStore> as unknown as TokenStore
const tokenMint = { create: () => 'good', digest: (secret: string) => Buffer.from(secret) }

const open = () => {
  const bearer = new BearerTokens({ tokens, tokenMint, clock: systemClock })
  return async (secret: string, nowUs: number) => {
    const use = { authorization: `Bearer ${secret}`, requestId: 'r', address: '192.0.2.1' }
    const outcome = await bearer.admit(use, nowUs)
    return 'token' in outcome ? 'admitted' : `${outcome.code} ${outcome.headers?.['Retry-After'] ?? ''}`
  }
}

test('a token may send 20 requests at once, then 20 a second', async () => {
  const admit = open()
  for (let i = 0; i < 20; i++) expect(await admit('good', 0)).toBe('admitted')
  expect(await admit('good', 0)).toBe('rate_limited 1')
  expect(await admit('good', 50_000)).toBe('admitted')
  expect(await admit('good', 50_000)).toBe('rate_limited 1')
})

test('an address that guesses tokens is slowed down, and valid tokens are not', async () => {
  const admit = open()
  for (let i = 0; i < 100; i++) expect(await admit('bad', 0)).toBe('token_invalid ')
  expect(await admit('bad', 0)).toBe('address_limited 1')
  expect(await admit('good', 0)).toBe('admitted')
})
