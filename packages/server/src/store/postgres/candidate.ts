import { randomUUID } from 'node:crypto'
import type { Candidate, ProcessTerms, Standing } from '../../domain/processes.ts'
import { locks } from './locks.ts'
import { releaseLevel } from './migrations/all.ts'
import {
  type HeldSession,
  inTransaction,
  PostgresPool,
  type PostgresPoolOptions,
  type PostgresTimeouts,
} from './pool.ts'
import { requireUsable } from './schema.ts'

/** Short waits: a candidate that gets no answer must not believe that it is the worker. */
const timeouts: PostgresTimeouts = { connectMs: 3000, freeMs: 3000, statementMs: 2000, lockMs: 1000, idleMs: 2000 }

/** Time of silence after which the database ends the connection of a process that was stopped or cut off. */
const longestSilenceMs = 10_000

/** Condition on a row of pg_locks: an advisory lock of this database with the number $1. */
const isLock = `l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
  AND l.classid = ($1::bigint >> 32)::oid AND l.objid = ($1::bigint & 4294967295)::oid
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** Condition on a row of cluster_processes: its connection exists. */
export const isConnected = `EXISTS (
  SELECT 1 FROM pg_stat_activity a WHERE a.pid = p.pid AND coalesce(a.backend_start, p.backend_start) = p.backend_start)`

/** Selects the process that holds the lock $1 exclusively. */
export const selectHolder = `SELECT p.* FROM pg_locks l JOIN cluster_processes p ON p.pid = l.pid
  WHERE ${isLock} AND l.mode = 'ExclusiveLock' AND ${isConnected}`

/** Returns the elected worker, if there is one. */
export async function findWorker(
  database: Pick<PostgresPool, 'query'>,
): Promise<Pick<ProcessTerms, 'role' | 'name'> | undefined> {
  const [worker] = await database.query<Pick<ProcessTerms, 'role' | 'name'>>(selectHolder, [BigInt(locks.worker)])
  return worker && { role: worker.role, name: worker.name }
}

/** Options of a candidate. */
export interface CandidateOptions extends Pick<PostgresPoolOptions, 'url' | 'onFailure' | 'beforeUse'> {
  /** Time of silence after which the database ends the connection, in milliseconds. Default: 10 s. */
  readonly silenceMs?: number
}

/**
 * Opens a candidate on a connection of its own. Its locks end with the connection, and the connection ends with the
 * process: at once when it is killed, and after 10 s of silence when it is stopped or its network is cut.
 */
export async function openCandidate(
  { silenceMs = longestSilenceMs, ...options }: CandidateOptions,
  node: string,
  terms: ProcessTerms,
): Promise<Candidate> {
  const pool = new PostgresPool({ ...options, connections: 1, timeouts })
  let session: HeldSession | undefined
  try {
    session = await pool.hold()
    const instance = randomUUID()
    await session.exec(`SET idle_session_timeout = ${silenceMs}`)
    await inTransaction(session, held => enroll(held, { database: pool.name, instance, node }, terms))
    return createCandidate(pool, session, instance, terms)
  } catch (error) {
    session?.release()
    void pool.close()
    throw error
  }
}

interface EnrolledProcess {
  readonly instance: string
  readonly node: string
  /** The database as messages name it. */
  readonly database: string
}

/** Shows the process to others, and removes the rows of those that have ended. Throws NewerSchema. */
async function enroll(session: HeldSession, process: EnrolledProcess, terms: ProcessTerms): Promise<void> {
  const { instance, node, database } = process
  const { role, name, release } = terms
  await requireUsable(session, database, releaseLevel)
  await session.run(`DELETE FROM cluster_processes p WHERE NOT ${isConnected}`)
  await session.run(
    `INSERT INTO cluster_processes (instance, node, role, name, release, level, pid, backend_start)
     SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::integer, pid, backend_start
     FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
    [instance, node, role, name, release, releaseLevel],
  )
  // Shared by all processes of the role, so that others see that one exists.
  if (role === 'work') await session.query('SELECT pg_advisory_lock_shared($1)', [BigInt(locks.workers)])
}

function createCandidate(
  pool: PostgresPool,
  session: HeldSession,
  instance: string,
  { role }: ProcessTerms,
): Candidate {
  let isElected = false
  const isWorkerWaiting = async () => {
    const [row] = await session.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM pg_locks l WHERE ${isLock}) AS found`,
      [BigInt(locks.workers)],
    )
    return row!.found
  }
  const check = async (): Promise<Standing> => {
    const mustWait = role === 'serve' && (await isWorkerWaiting())
    if (isElected) {
      await session.query('SELECT 1')
      return { state: mustWait ? 'superseded' : 'elected' }
    }
    if (!mustWait) {
      const [row] = await session.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
        BigInt(locks.worker),
      ])
      isElected = row!.held
      if (isElected) return { state: 'elected' }
    }
    return { state: 'waiting', worker: await findWorker(session) }
  }
  return {
    check,
    resign: async () => {
      isElected = false
      await session.query('SELECT pg_advisory_unlock($1)', [BigInt(locks.worker)])
    },
    close: async () => {
      isElected = false
      // The locks end with the connection; a row whose connection has ended is nobody.
      await session.run('DELETE FROM cluster_processes WHERE instance = $1', [instance]).catch(() => {})
      session.release()
      await pool.close()
    },
  }
}
