import { createHmac, type KeyObject, randomInt } from 'node:crypto'

/** Number of recovery codes of a user. */
const codeCount = 10
/** Letters and digits that are not mistaken for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const partLength = 5

/** Creates ten recovery codes such as `k3v9x-2mzqp`. */
export const createRecoveryCodes = (): string[] =>
  Array.from({ length: codeCount }, () => `${randomPart()}-${randomPart()}`)

/** Computes the form in which a code is stored: HMAC-SHA-256 under the pepper, without regard to spaces and case. */
export const digestRecoveryCode = (code: string, pepper: KeyObject): Buffer =>
  createHmac('sha256', pepper)
    .update(`recovery ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
    .digest()

const randomPart = (): string => Array.from({ length: partLength }, () => alphabet[randomInt(alphabet.length)]).join('')
