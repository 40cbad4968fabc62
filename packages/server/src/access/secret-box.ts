import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { SecretBox } from '../domain/secret-box.ts'

const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/**
 * Creates the box for secrets of one purpose: AES-256-GCM under a key that HKDF-SHA-256 derives from the pepper and the
 * purpose. A sealed secret is nonce, tag and ciphertext.
 */
export function createSecretBox(pepper: KeyObject, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', `periplus ${purpose}`, keyBytes))
  return {
    seal: secret => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    open: sealed => {
      const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
      cipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      return cipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + cipher.final('utf8')
    },
  }
}
