import { createHash, randomBytes } from 'node:crypto'

/** Creates a token of 32 random bytes, as text for cookies and links. */
export const createOpaqueToken = (): string => randomBytes(32).toString('base64url')

/** Computes the only form in which tokens of sessions, links and open sign-ins are stored: SHA-256. */
export const digestOpaqueToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Number of characters of a token. */
export const tokenLength = 43

/** Returns true if a text has the form of such a token. */
export const isOpaqueToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
