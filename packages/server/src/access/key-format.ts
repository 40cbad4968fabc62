import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Pattern of a secret: `peri_live_` or `peri_test_`, 32 base62 characters, and a checksum of 6 (CRC-32). */
const pattern = /^peri_(live|test)_[0-9A-Za-z]{38}$/
/** Pattern of the secret of an admin token, in the same format. */
const adminPattern = /^peri_admin_[0-9A-Za-z]{38}$/
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/** Creates a secret with 190 bits from the system's random source. */
export function createSecret(kind: 'live' | 'test' | 'admin'): string {
  const body = `peri_${kind}_${randomBase62(32)}`
  return body + checksum(body)
}

/** Returns true if the pattern and checksum of a secret are valid. Does not access the store. */
export const isWellFormed = (secret: string): boolean => pattern.test(secret) && hasChecksum(secret)

/** Returns true if the pattern and checksum of an admin token's secret are valid. */
export const isWellFormedAdminSecret = (secret: string): boolean => adminPattern.test(secret) && hasChecksum(secret)

const hasChecksum = (secret: string): boolean =>
  checksum(secret.slice(0, -checksumLength)) === secret.slice(-checksumLength)

/** Computes the HMAC-SHA-256 of a secret under the pepper: the only form in which secrets are stored. */
export const digestSecret = (secret: string, pepper: KeyObject): Buffer =>
  createHmac('sha256', pepper).update(secret).digest()

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Returns random characters. Discards bytes of 248 and above, so that every character is equally likely. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]!
  }
  return text
}
