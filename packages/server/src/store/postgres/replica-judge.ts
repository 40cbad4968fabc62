import { StoreFailure } from '../../domain/store-errors.ts'
import { hourMs } from '../../kit/time.ts'
import type { PostgresPool } from './pool.ts'

/** Maximum age of changes that a replica does not have yet, in milliseconds. */
const maxBehindMs = 5000

/** Requirements of a replica. */
export interface ReplicaJudge {
  /** Id of the database, and the schema that this release needs. */
  readonly database: string
  readonly schema: number
  /** Number of a change that the primary had five seconds ago; a replica has it, too. */
  readonly seq: bigint
  /** Returns false for a line of the change log that the primary does not have. */
  readonly isKnown: (seq: bigint, line: string) => Promise<boolean>
}

const lineText = "concat_ws(' ', at_ms, kind, id, op)"

const facts = `
  SELECT pg_is_in_recovery() AS is_replica, (SELECT id::text FROM cluster) AS database,
    (SELECT version FROM schema) AS version, coalesce(newest.seq, 0) AS seq, newest.line
  FROM (VALUES (1)) AS one
  LEFT JOIN (SELECT seq, ${lineText} AS line FROM changes ORDER BY seq DESC LIMIT 1) AS newest ON true`

/** Older lines than the oldest one were removed, and cannot be compared. */
const selectKnown = `
  SELECT coalesce((SELECT ${lineText} = $2 FROM changes WHERE seq = $1), (SELECT min(seq) > $1 FROM changes), false)
    AS known`

/** Returns a function that looks for a line on the primary. Without the primary, every line counts as known. */
export const createLineCheck =
  (primary: PostgresPool): ReplicaJudge['isKnown'] =>
  async (seq, line) => {
    const [row] = await primary.query<{ known: boolean }>(selectKnown, [seq, line]).catch(() => [])
    return row?.known ?? true
  }

interface Facts {
  readonly is_replica: boolean
  readonly database: string | null
  readonly version: number
  readonly seq: bigint
  readonly line: string | null
}

/** The state of a replica. */
export interface ReplicaState {
  /** Number of its newest change; undefined if it does not answer, or is no replica of the database. */
  readonly seq?: bigint | undefined
  /** A sentence on why it cannot be used. */
  readonly problem?: string | undefined
}

/** Returns the state of a replica. */
export async function readReplica(server: PostgresPool, judge: ReplicaJudge): Promise<ReplicaState> {
  try {
    const [found] = await server.query<Facts>(facts)
    const { is_replica: isReplica, database, seq, line } = found!
    const problem =
      problemOf(found!, server.name, judge) ??
      (line === null || (await judge.isKnown(seq, line)) ? undefined : foreignHistory(server.name))
    return { problem, ...(isReplica && database === judge.database && { seq }) }
  } catch (error) {
    if (error instanceof StoreFailure) return { problem: error.message }
    return { problem: `${server.name} does not have the tables of this release.` }
  }
}

function problemOf(
  { is_replica: isReplica, database, version, seq }: Facts,
  name: string,
  judge: ReplicaJudge,
): string | undefined {
  if (!isReplica) return `${name} is not a replica: it was promoted, or its address is wrong.`
  if (database !== judge.database) return `${name} is a replica of another database.`
  if (version < judge.schema) return `${name} does not have the schema of the primary yet.`
  return seq < judge.seq ? `${name} is more than ${maxBehindMs / 1000} s behind the primary.` : undefined
}

const foreignHistory = (name: string): string =>
  `${name} has a change that the primary does not have: a fail-over has lost it. Create the replica from the primary again.`

/** Age from which changes are forgotten; a replica that is further behind is as far behind as this, in milliseconds. */
const keptMs = hourMs

/** Remembers when the primary had which changes. */
export class ChangeHistory {
  #seen: { readonly atMs: number; readonly seq: bigint }[] = []

  add(seq: bigint, atMs: number): void {
    if (seq === this.#seen.at(-1)?.seq) return
    this.#seen.push({ atMs, seq })
    const kept = this.#seen.findLastIndex(one => one.atMs <= atMs - keptMs)
    if (kept > 0) this.#seen.splice(0, kept)
  }

  /** Returns the newest number that the primary had when the allowed time began, or at first. */
  before(nowMs: number): bigint {
    const known = this.#seen.findLastIndex(({ atMs }) => atMs <= nowMs - maxBehindMs)
    return this.#seen[Math.max(0, known)]?.seq ?? 0n
  }

  /** Returns the time since the primary had the first change that is newer than a number, in milliseconds. */
  lagMs(seq: bigint, nowMs: number): number {
    const next = this.#seen.find(one => one.seq > seq)
    return next ? Math.max(0, nowMs - next.atMs) : 0
  }
}
