import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSecret, digestSecret, isWellFormed } from './key-format.ts'

describe('the format of a secret (R-02)', () => {
  it.each(['live', 'test'] as const)('peri_%s_, 32 characters and a checksum of 6', kind => {
    const secret = createSecret(kind)
    expect(secret).toMatch(new RegExp(`^peri_${kind}_[0-9A-Za-z]{38}$`))
    expect(isWellFormed(secret)).toBe(true)
  })

  it('never repeats and uses the entire alphabet', () => {
    const secrets = Array.from({ length: 2000 }, () => createSecret('live'))
    expect(new Set(secrets).size).toBe(secrets.length)
    expect(new Set(secrets.flatMap(secret => [...secret.slice(10, 42)])).size).toBe(62)
  })

  it('detects every changed character', () => {
    const secret = createSecret('live')
    for (let at = 0; at < secret.length; at++) {
      for (const other of ['0', 'z', '_']) {
        const changed = secret.slice(0, at) + other + secret.slice(at + 1)
        expect(isWellFormed(changed)).toBe(changed === secret)
      }
    }
  })

  it('rejects the other prefix and longer or shorter text', () => {
    const secret = createSecret('test')
    for (const wrong of [
      '',
      secret.replace('test', 'live'),
      `${secret}0`,
      secret.slice(1),
      secret.slice(0, -1),
      ` ${secret}`,
      `${secret}\n`,
      secret.toUpperCase(),
    ])
      expect(isWellFormed(wrong)).toBe(false)
  })

  it('is stored as a digest that depends on the pepper', () => {
    const pepper = (text: string) => createSecretKey(Buffer.from(text))
    const secret = createSecret('live')
    const digest = digestSecret(secret, pepper('a'))
    expect(digest).toHaveLength(32)
    expect(digestSecret(secret, pepper('a')).equals(digest)).toBe(true)
    expect(digestSecret(secret, pepper('b')).equals(digest)).toBe(false)
    expect(digestSecret(createSecret('live'), pepper('a')).equals(digest)).toBe(false)
  })
})
