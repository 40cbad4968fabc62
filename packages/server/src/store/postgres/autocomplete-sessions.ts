import {
  type AutocompleteSessions,
  type ChosenUse,
  type SessionPrice,
  type SessionUse,
  sessionBounds,
  type TypedUse,
} from '../../domain/autocomplete-session.ts'
import type { PostgresPool } from './pool.ts'

/** Sessions in the database; the caller closes them. */
export interface StoredSessions extends AutocompleteSessions {
  use(use: SessionUse): Promise<SessionPrice | undefined>
  close(): Promise<void>
}

const { calls, pauseMs, lengthMs, open } = sessionBounds
const now = 'clock_timestamp()'
/** Condition of a session that is not over; `at`: the time of the call. */
const lives = (at: string) =>
  `NOT s.ended AND ${at} - s.last_at <= interval '${pauseMs} ms' AND ${at} - s.opened_at <= interval '${lengthMs} ms'`

/** Continues a session, or opens it. One statement, so that calls of a session on several nodes are priced in turn. */
const typedStatement = `
  INSERT INTO autocomplete_sessions AS s (digest, opened_at, last_at, calls, letters, offered, ended, charged)
  VALUES ($1, ${now}, ${now}, 1, $2, $3, false, 1)
  ON CONFLICT (digest) DO UPDATE SET (opened_at, last_at, calls, letters, offered, ended, charged) = (
    SELECT
      CASE WHEN known.continues THEN s.opened_at ELSE excluded.opened_at END,
      excluded.last_at,
      CASE WHEN known.continues THEN s.calls + 1 ELSE 1 END,
      CASE WHEN NOT known.continues THEN excluded.letters WHEN s.letters @> excluded.letters THEN s.letters
        ELSE s.letters || excluded.letters END,
      CASE WHEN known.continues
        THEN ARRAY(SELECT DISTINCT id FROM unnest(s.offered || excluded.offered) AS id) ELSE excluded.offered END,
      false,
      CASE WHEN known.continues AND (s.letters = '{}' OR s.letters @> excluded.letters) THEN 0 ELSE 1 END
    FROM (SELECT s.calls < ${calls} AND ${lives('excluded.last_at')}) AS known (continues))
  RETURNING charged, calls, opened_at::text AS opened`

/** Interval of removals of sessions that are over, in milliseconds. */
const removeEveryMs = 60_000

/** Opens the sessions of all nodes that share limits; `close` closes the pool. */
export function openPostgresSessions(pool: PostgresPool): StoredSessions {
  let removedMs = Number.NEGATIVE_INFINITY
  let isFull = false
  const removeOver = async () => {
    await pool.run(
      `DELETE FROM autocomplete_sessions WHERE digest IN (
         SELECT digest FROM autocomplete_sessions WHERE opened_at < ${now} - interval '${lengthMs} ms'
         FOR UPDATE SKIP LOCKED)`,
    )
    const [row] = await pool.query<{ count: bigint }>('SELECT count(*) FROM autocomplete_sessions')
    isFull = Number(row!.count) >= open
  }
  return {
    use: async use => {
      const nowMs = performance.now()
      if (nowMs - removedMs >= removeEveryMs) {
        removedMs = nowMs
        // A failure is repeated after the interval.
        removeOver().catch(() => {})
      }
      if (use.kind === 'chosen') return choose(pool, use)
      return isFull && !(await isOpen(pool, use)) ? undefined : type(pool, use)
    },
    close: () => pool.close(),
  }
}

async function type(pool: PostgresPool, { session, letters, offered }: TypedUse): Promise<SessionPrice> {
  const digest = toNumber(session)
  const hashes = letters === 0 ? [] : [letters]
  const [row] = await pool.query<{ charged: number; calls: number; opened: string }>(typedStatement, [
    digest,
    hashes,
    offered,
  ])
  const { charged, calls: count, opened } = row!
  if (charged === 0) return paid
  const undo = () =>
    count === 1
      ? pool.run('DELETE FROM autocomplete_sessions WHERE digest = $1 AND opened_at = $2::timestamptz AND calls = 1', [
          digest,
          opened,
        ])
      : pool.run(
          `UPDATE autocomplete_sessions SET letters = array_remove(letters, $3::integer)
           WHERE digest = $1 AND opened_at = $2::timestamptz`,
          [digest, opened, letters],
        )
  return { units: 1, undo: () => ignoreFailure(undo()) }
}

/** Ends a session, which pays for the place, if the place was suggested in it. */
async function choose(pool: PostgresPool, { session, id }: ChosenUse): Promise<SessionPrice> {
  const digest = toNumber(session)
  const [row] = await pool.query<{ opened: string }>(
    `UPDATE autocomplete_sessions AS s SET ended = true WHERE digest = $1 AND $2::bigint = ANY(offered) AND ${lives(now)}
     RETURNING opened_at::text AS opened`,
    [digest, id],
  )
  if (!row) return { units: 1, undo: () => {} }
  const reopen = () =>
    pool.run('UPDATE autocomplete_sessions SET ended = false WHERE digest = $1 AND opened_at = $2::timestamptz', [
      digest,
      row.opened,
    ])
  return { units: 0, undo: () => ignoreFailure(reopen()) }
}

async function isOpen(pool: PostgresPool, { session }: TypedUse): Promise<boolean> {
  const rows = await pool.query(`SELECT FROM autocomplete_sessions AS s WHERE digest = $1 AND ${lives(now)}`, [
    toNumber(session),
  ])
  return rows.length > 0
}

const paid: SessionPrice = { units: 0, undo: () => {} }

/** A use that is not undone costs the client less. */
const ignoreFailure = (undone: Promise<unknown>): Promise<void> =>
  undone.then(
    () => {},
    () => {},
  )

/** Converts a digest to the number that the database has. */
const toNumber = (session: string): bigint => BigInt.asIntN(64, BigInt(`0x${session}`))
