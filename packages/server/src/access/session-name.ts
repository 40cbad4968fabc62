import { createHash } from 'node:crypto'

/** Returns the digest of a session of a key, 16 hexadecimal digits: no client-supplied text is stored. */
export const digestSession = (keyId: string, session: string): string =>
  createHash('sha256').update(`${keyId}\n${session}`).digest('hex').slice(0, 16)

/** Returns the hash of the first two letters of a text within a session; 0 for a shorter text. */
export function hashLetters(session: string, text: string): number {
  const letters = text.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '')
  const [first, second] = letters.toLowerCase()
  if (first === undefined || second === undefined) return 0
  return createHash('sha256').update(`${session}\n${first}${second}`).digest().readUInt16LE(0) || 1
}
