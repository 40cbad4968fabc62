import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts short secrets that the service has to read again, such as those of TOTP and webhooks. */
export interface SecretBox {
  /** Encrypts a secret. `context` names what it belongs to; the same context is required to read it. */
  seal(secret: string, context: string): Buffer
  /** Returns the secret; undefined if the bytes are damaged or belong to another pepper, purpose or context. */
  open(sealed: Buffer, context: string): string | undefined
}

/**
 * Creates a box (AES-256-GCM) whose key is derived from the pepper by HKDF (RFC 5869); each purpose has another key.
 */
export function createSecretBox(pepper: KeyObject, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', `periplus ${purpose}`, 32))
  return {
    seal: (secret, context) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    open: (sealed, context) => {
      if (sealed.length < nonceBytes + tagBytes) return undefined
      const nonce = sealed.subarray(0, nonceBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
}
