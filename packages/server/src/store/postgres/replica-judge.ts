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
}

const facts = `
  SELECT pg_is_in_recovery() AS is_replica, (SELECT id::text FROM cluster) AS database,
    (SELECT version FROM schema) AS version, (SELECT coalesce(max(seq), 0) FROM changes) AS seq`

interface Facts {
  readonly is_replica: boolean
  readonly database: string | null
  readonly version: number
  readonly seq: bigint
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
    const { is_replica: isReplica, database, seq } = found!
    const problem = problemOf(found!, server.name, judge)
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
