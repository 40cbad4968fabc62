import { randomFillSync } from 'node:crypto'

/** Random bytes in an id: those after its time. */
const bytesPerId = 10
const digitsPerId = 2 * bytesPerId
const pool = Buffer.alloc(512 * bytesPerId)

/** Digits of the ids that will be created next. */
let digits = ''
let used = 0
/** The latest time, and its digits. */
let latest = { ms: 0, digits: '' }

/**
 * Creates the id of a request, a UUIDv7 (RFC 9562 §5.7) whose 74 random bits come from a pool: a system call and an
 * encoding for each id would cost more than the rest of the work.
 */
export function createRequestId(): string {
  const ms = Date.now()
  if (ms !== latest.ms) latest = { ms, digits: encodeTime(ms) }
  if (used === digits.length) fillPool()
  const at = used
  used += digitsPerId
  return `${latest.digits}-${digits.slice(at, at + 4)}-${digits.slice(at + 4, at + 8)}-${digits.slice(at + 8, used)}`
}

function encodeTime(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

function fillPool(): void {
  randomFillSync(pool)
  for (let at = 0; at < pool.length; at += bytesPerId) {
    // The version and the variant.
    pool[at] = 0x70 | (pool[at]! & 0x0f)
    pool[at + 2] = 0x80 | (pool[at + 2]! & 0x3f)
  }
  digits = pool.toString('hex')
  used = 0
}
