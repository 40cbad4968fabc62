import { Secret, TOTP } from 'otpauth'

/** Seconds of a time step. */
const period = 30

/** Creates the secret of an authenticator app: 20 random bytes, base32. */
export const createTotpSecret = (): string => new Secret({ size: 20 }).base32

/** Returns the URL that authenticator apps read from a QR code. */
export const totpUrl = (secret: string, email: string): string => totpOf(secret, email).toString()

/** Returns the time step of a code, if it is the code of this step, the last or the next one. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return undefined
  const delta = totpOf(secret, '').validate({ token: digits, timestamp: nowMs, window: 1 })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / period) + delta
}

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer: 'Periplus', label, secret: Secret.fromBase32(secret), period, digits: 6, algorithm: 'SHA1' })
