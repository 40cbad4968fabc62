import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSecretBox } from './secret-box.ts'

describe('the box for secrets', () => {
  const pepper = createSecretKey(randomBytes(32))
  const box = createSecretBox(pepper, 'totp')

  test('returns a secret in its own context only', () => {
    const sealed = box.seal('secret ü', 'user_1')
    expect(sealed.includes('secret')).toBe(false)
    expect(box.open(sealed, 'user_1')).toBe('secret ü')
    expect(box.open(sealed, 'user_2')).toBeUndefined()
    expect(createSecretBox(pepper, 'webhooks').open(sealed, 'user_1')).toBeUndefined()
    expect(createSecretBox(createSecretKey(randomBytes(32)), 'totp').open(sealed, 'user_1')).toBeUndefined()
  })

  test('refuses damaged and short bytes, and never repeats itself', () => {
    const sealed = box.seal('a', 'b')
    for (let i = 0; i < sealed.length; i++) {
      const damaged = Buffer.from(sealed)
      damaged[i] = damaged[i]! ^ 1
      expect(box.open(damaged, 'b')).toBeUndefined()
    }
    expect(box.open(sealed.subarray(0, 20), 'b')).toBeUndefined()
    expect(box.seal('a', 'b').equals(sealed)).toBe(false)
  })
})
