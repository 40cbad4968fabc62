import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const pool = new Uint8Array(16 * 512)
let used = pool.length

/** Sixteen random bytes out of a pool: asking the system each time costs more than all the rest of an id. */
function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
}

const options = { rng: random }

/** A UUIDv7 (RFC 9562 §5.7), the id of a request. */
export const requestId = (): string => uuidv7(options)
