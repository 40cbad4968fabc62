import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { PasswordProblem } from '../domain/password.ts'

/** Bounds of a password, in characters. */
export const passwordLength = { min: 12, max: 200 } as const

/** Parameters of argon2id (RFC 9106; OWASP): 19 MiB, 2 passes. */
const memoryKib = 19_456
const passes = 2
const saltBytes = 16
const hashBytes = 32

const derive = promisify(argon2)

/** Returns the reason why a text cannot be the password of an account; undefined if it can. */
export function checkPassword(password: string, email: string): PasswordProblem | undefined {
  const length = [...password].length
  if (length < passwordLength.min) return 'too_short'
  if (length > passwordLength.max) return 'too_long'
  return password.trim().toLowerCase() === email.trim().toLowerCase() ? 'is_email' : undefined
}

/** Computes the stored form of a password in the PHC string format, off the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await deriveFrom(password, salt)
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${encode(salt)}$${encode(hash)}`
}

/**
 * Returns true if a password belongs to a stored form. Without a stored form, the answer is false after the same work.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, salt, hash] = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]+)\$([\w+/]+)$/.exec(stored ?? '') ?? []
  const tooLong = [...password].length > passwordLength.max
  const derived = await deriveFrom(tooLong ? '' : password, salt === undefined ? randomBytes(saltBytes) : decode(salt))
  return hash !== undefined && !tooLong && timingSafeEqual(derived, decode(hash))
}

// Equal characters in different Unicode compositions are the same password (RFC 8265).
const deriveFrom = (password: string, nonce: Buffer): Promise<Buffer> =>
  derive('argon2id', {
    message: password.normalize('NFC'),
    nonce,
    parallelism: 1,
    tagLength: hashBytes,
    memory: memoryKib,
    passes,
  })

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
const decode = (text: string): Buffer => Buffer.from(text, 'base64')
