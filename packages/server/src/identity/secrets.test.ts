import { describe, expect, test } from 'vitest'
import { createOpaqueToken, digestOpaqueToken, isOpaqueToken } from './opaque-token.ts'
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts'

describe('passwords', () => {
  test('have 12 to 200 characters and are not the e-mail address', () => {
    expect(checkPassword('a'.repeat(11), 'a@b')).toBe('too_short')
    expect(checkPassword('🙂'.repeat(12), 'a@b')).toBeUndefined()
    expect(checkPassword('🙂'.repeat(200), 'a@b')).toBeUndefined()
    expect(checkPassword('a'.repeat(201), 'a@b')).toBe('too_long')
    expect(checkPassword(' Ann.Long@example.org', 'ann.long@example.org')).toBe('is_email')
  })

  test('are stored as argon2id, and equal texts match in any Unicode composition', async () => {
    const stored = await hashPassword('Caf\u00e9 au lait 12')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await verifyPassword('Cafe\u0301 au lait 12', stored)).toBe(true)
    expect(await verifyPassword('Cafe au lait 12', stored)).toBe(false)
    expect(await verifyPassword('Caf\u00e9 au lait 12', undefined)).toBe(false)
    expect(await verifyPassword('x'.repeat(100_000), stored)).toBe(false)
  })
})

test('opaque tokens have 32 bytes and are stored as SHA-256', () => {
  const token = createOpaqueToken()
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(isOpaqueToken(token)).toBe(true)
  expect([`${token}a`, '', `${token.slice(1)}=`].some(isOpaqueToken)).toBe(false)
  expect(digestOpaqueToken(token)).toHaveLength(32)
})
