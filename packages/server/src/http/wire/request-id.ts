import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const pool = new Uint8Array(16 * 512)
let used = pool.length

/** Returns sixteen random bytes from a pool; a system call per id would cost more than the rest of the work. */
function takeRandomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
}

const options = { rng: takeRandomBytes }

/** Creates the id of a request, a UUIDv7 (RFC 9562 §5.7). */
export const createRequestId = (): string => uuidv7(options)
