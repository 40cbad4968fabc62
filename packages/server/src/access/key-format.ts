import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `peri_live_` or `peri_test_`, 32 base62 characters, 6 base62 characters of CRC-32 over all before them. */
const pattern = /^peri_(live|test)_[0-9A-Za-z]{38}$/
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/** A new secret from the system's random source: 190 bits. */
export function createSecret(kind: 'live' | 'test'): string {
  const open = `peri_${kind}_${randomBase62(32)}`
  return open + checksum(open)
}

/** Whether the text is of the form of R-02 and its checksum is right; costs no store access. */
export function isWellFormed(secret: string): boolean {
  return pattern.test(secret) && checksum(secret.slice(0, -checksumLength)) === secret.slice(-checksumLength)
}

/** HMAC-SHA-256 under the pepper: the only form in which a secret is stored. */
export const digestOf = (secret: string, pepper: KeyObject): Buffer =>
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

/** Bytes from 248 up are thrown away, so that every character is equally likely. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]!
  }
  return text
}
