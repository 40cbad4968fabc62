import { randomFillSync } from 'node:crypto'

/** Random bytes in an id: those after its time. */
const bytesPerId = 10
const pool = Buffer.alloc(512 * bytesPerId)

/** Random ends of the next ids. */
let ends: readonly string[] = []
let used = 0
/** Time of the latest id in milliseconds, and the start of all ids of that time. */
let latest = { ms: 0, start: '' }

/**
 * Creates the id of a request, a UUIDv7 (RFC 9562 §5.7) whose 74 random bits come from a pool: a system call and an
 * encoding for each id would cost more than the rest of the work.
 */
export function createRequestId(): string {
  const ms = Date.now()
  if (ms !== latest.ms) latest = { ms, start: encodeTime(ms) }
  if (used === ends.length) fillPool()
  return latest.start + ends[used++]!
}

function encodeTime(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`
}

function fillPool(): void {
  randomFillSync(pool)
  for (let at = 0; at < pool.length; at += bytesPerId) {
    // The version and the variant.
    pool[at] = 0x70 | (pool[at]! & 0x0f)
    pool[at + 2] = 0x80 | (pool[at + 2]! & 0x3f)
  }
  const hex = pool.toString('hex')
  ends = Array.from({ length: pool.length / bytesPerId }, (_, i) => encodeEnd(hex, i * 2 * bytesPerId))
  used = 0
}

const encodeEnd = (hex: string, at: number): string =>
  `${hex.slice(at, at + 4)}-${hex.slice(at + 4, at + 8)}-${hex.slice(at + 8, at + 2 * bytesPerId)}`
