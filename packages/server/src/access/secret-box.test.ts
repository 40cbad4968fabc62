import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const pepper = createSecretKey(randomBytes(32))

test('opens what it sealed; another pepper, another purpose and a changed byte fail', () => {
  const box = createSecretBox(pepper, 'webhook secrets')
  const sealed = box.seal('whsec_ä')
  expect(box.open(sealed)).toBe('whsec_ä')
  expect(sealed.toString('latin1')).not.toContain('whsec')
  expect(box.seal('whsec_ä').equals(sealed)).toBe(false)
  expect(() => createSecretBox(createSecretKey(randomBytes(32)), 'webhook secrets').open(sealed)).toThrow()
  expect(() => createSecretBox(pepper, 'passwords').open(sealed)).toThrow()
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => box.open(changed)).toThrow()
  }
})
