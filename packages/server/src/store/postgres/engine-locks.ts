import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LockHeld, StoreFailure } from '../../domain/store-errors.ts'
import type { Lock, LockName, Locks } from '../../domain/stores.ts'
import { waitAtMost } from '../../kit/wait-at-most.ts'
import type { JobLocks, JobRole } from '../sql/jobs.ts'
import { locks } from './locks.ts'
import type { HeldSession, PostgresPool } from './pool.ts'

/** Two numbers that name a lock; PostgreSQL divides one of 64 bits in the same way. */
type LockKeys = readonly [first: number, second: number]

const keysOf = (number: number): LockKeys => [Math.floor(number / 2 ** 32), number % 2 ** 32]

/** Suffix of the functions of a lock: alone, or shared. */
type LockKind = '' | '_shared'

/** Interval between attempts to take a lock again, in milliseconds. */
const retakeEveryMs = 100

/** Interval between signs of life of a lock that ends with the silence of its holder, in milliseconds. */
const beatEveryMs = 1000

/** Options of a lock. */
interface LockOptions {
  readonly kind?: LockKind
  /** Time of silence after which the database ends the lock of a process that was stopped, in milliseconds. */
  readonly silenceMs?: number | undefined
}

/** Maximum wait for the release of a lock, in milliseconds. */
const releaseWithinMs = 5000

/**
 * Takes a lock between the processes of all nodes. It belongs to a connection that does nothing else: PostgreSQL
 * releases it when the process ends in any way. When that connection ends, the lock is taken again on another one;
 * it is lost if another process was faster. Throws LockHeld if another connection holds it, or, for a shared one, holds
 * it alone.
 */
async function holdLock(
  pool: PostgresPool,
  keys: LockKeys,
  message: string,
  { kind = '', silenceMs }: LockOptions = {},
): Promise<Lock> {
  const number = numberOf(keys)
  const lost = new AbortController()
  const released = new AbortController()
  const take = async (): Promise<HeldSession> => {
    const taken = await takeLock(pool, number, message, { kind, silenceMs })
    taken.onEnd(() => {
      taken.release()
      session = retake()
    })
    return taken
  }
  const retake = async (): Promise<HeldSession | undefined> => {
    while (!released.signal.aborted)
      try {
        return await take()
      } catch (error) {
        if (!(error instanceof StoreFailure)) {
          lost.abort(error)
          return undefined
        }
        await sleep(retakeEveryMs, undefined, { signal: released.signal }).catch(() => {})
      }
    return undefined
  }
  let session: Promise<HeldSession | undefined> = Promise.resolve(await take())
  // The end of the connection is noticed by its listener.
  const beat = async () => (await session)?.query('SELECT 1').catch(() => {})
  const beats = silenceMs === undefined ? undefined : setInterval(() => void beat(), beatEveryMs)
  const release = async () => {
    if (!withdraw()) return
    clearInterval(beats)
    released.abort()
    const held = await session
    if (held) await releaseLock(held, number, kind)
  }
  // A process that closes the engine may still have a lock, as a waiting job does.
  const withdraw = pool.onClose(release)
  return { lost: lost.signal, release }
}

async function takeLock(
  pool: PostgresPool,
  number: bigint,
  message: string,
  { kind, silenceMs }: LockOptions,
): Promise<HeldSession> {
  const session = await pool.hold()
  try {
    if (silenceMs !== undefined) await session.exec(`SET idle_session_timeout = ${silenceMs}`)
    const [row] = await session.query<{ held: boolean }>(`SELECT pg_try_advisory_lock${kind}($1) AS held`, [number])
    if (!row!.held) throw new LockHeld(message)
    return session
  } catch (error) {
    session.release()
    throw error
  }
}

async function releaseLock(session: HeldSession, number: bigint, kind: LockKind): Promise<void> {
  let isReleased = false
  const unlock = async () => {
    await session.query(`SELECT pg_advisory_unlock${kind}($1)`, [number])
    await session.exec('RESET idle_session_timeout')
    isReleased = true
  }
  try {
    await waitAtMost(releaseWithinMs, unlock())
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
  } finally {
    // The end of a connection releases its locks.
    session.release(!isReleased)
  }
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

/** Takes a lock by its name, as holdLock does. */
export const holdNamedLock = (pool: PostgresPool, name: 'move' | LockName, message: string): Promise<Lock> =>
  holdLock(pool, keysOf(locks[name]), message)

/** Creates the locks of the engine. */
export const createPostgresLocks = (pool: PostgresPool): Locks => ({
  hold: (name, message) => holdNamedLock(pool, name, message),
  isHeld: name => isLockHeld(pool, keysOf(locks[name])),
})

/** Returns true while a process moves the contents to a data folder, and waits for the services to end. */
export const isMoving = (pool: PostgresPool): Promise<boolean> => isLockHeld(pool, keysOf(locks.move))

/** Takes the lock of a node that serves next to others. Throws LockHeld if a node serves that does not share limits. */
export const shareServing = (pool: PostgresPool): Promise<Lock> =>
  holdLock(
    pool,
    keysOf(locks.serve),
    'Another node serves this database without shared limits. Stop it, and set its limits.shared.',
    { kind: '_shared' },
  )

/** Time of silence after which another process may build the index, in milliseconds; that of the election. */
const defaultSilenceMs = 10_000

const keysOfIndex = (format: number): LockKeys => [locks.indexes, format]

/** Takes the lock of the process that builds or publishes the search index of a format. */
export const holdIndexLock = (pool: PostgresPool, format: number, silenceMs = defaultSilenceMs): Promise<Lock> =>
  holdLock(pool, keysOfIndex(format), 'Another process builds the search index.', { silenceMs })

/** Returns true while a process builds or publishes the search index of a format. */
export const isIndexLockHeld = (pool: PostgresPool, format: number): Promise<boolean> =>
  isLockHeld(pool, keysOfIndex(format))

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
