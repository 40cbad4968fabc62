import { createHash } from 'node:crypto'
import { LockHeld, StoreFailure } from '../../domain/store-errors.ts'
import type { Lock, Locks } from '../../domain/stores.ts'
import type { JobLocks, JobRole } from '../sql/jobs.ts'
import { locks } from './locks.ts'
import type { PostgresPool } from './pool.ts'

/** Two numbers that name a lock; PostgreSQL divides one of 64 bits in the same way. */
type LockKeys = readonly [first: number, second: number]

const keysOf = (number: number): LockKeys => [Math.floor(number / 2 ** 32), number % 2 ** 32]

/**
 * Takes a lock between the processes of all nodes. It belongs to a connection that does nothing else: PostgreSQL
 * releases it when the process ends in any way. Throws LockHeld if another connection holds it.
 */
async function holdLock(pool: PostgresPool, keys: LockKeys, message: string): Promise<Lock> {
  const session = await pool.hold()
  const number = numberOf(keys)
  try {
    const [row] = await session.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [number])
    if (!row!.held) throw new LockHeld(message)
  } catch (error) {
    session.release()
    throw error
  }
  const release = async () => {
    if (!withdraw()) return
    try {
      await session.query('SELECT pg_advisory_unlock($1)', [number])
    } catch (error) {
      // The end of a connection releases its locks.
      if (!(error instanceof StoreFailure)) throw error
    } finally {
      session.release()
    }
  }
  // A process that closes the engine may still have a lock, as a waiting job does.
  const withdraw = pool.onClose(release)
  return { release }
}

const numberOf = ([first, second]: LockKeys): bigint => BigInt(first) * 2n ** 32n + BigInt(second)

async function isLockHeld(pool: PostgresPool, [first, second]: LockKeys): Promise<boolean> {
  const [row] = await pool.query<{ held: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM pg_locks
       WHERE locktype = 'advisory' AND granted AND classid = $1::oid AND objid = $2::oid AND objsubid = 1
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ) AS held`,
    [first, second],
  )
  return row!.held
}

/** Creates the locks of the engine. */
export const createPostgresLocks = (pool: PostgresPool): Locks => ({
  hold: (name, message) => holdLock(pool, keysOf(locks[name]), message),
  isHeld: name => isLockHeld(pool, keysOf(locks[name])),
})

/** Creates the locks of jobs. Their second number is a digest of the job and the role. */
export function createPostgresJobLocks(pool: PostgresPool): JobLocks {
  const keys = (id: string, role: JobRole): LockKeys => [
    locks.jobs,
    createHash('sha256').update(`${id} ${role}`).digest().readUInt32BE(),
  ]
  return {
    hold: (id, role) => holdLock(pool, keys(id, role), `Job ${id} is held by another process.`),
    isHeld: (id, role) => isLockHeld(pool, keys(id, role)),
  }
}
