import { StoreFailure } from '../../domain/store-errors.ts'
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

/** Returns a sentence on why records cannot be read from a server; undefined if they can. */
export async function replicaProblem(server: PostgresPool, judge: ReplicaJudge): Promise<string | undefined> {
  try {
    const [found] = await server.query<Facts>(facts)
    const { is_replica: isReplica, database, version, seq } = found!
    if (!isReplica) return `${server.name} is not a replica: it was promoted, or its address is wrong.`
    if (database !== judge.database) return `${server.name} is a replica of another database.`
    if (version < judge.schema) return `${server.name} does not have the schema of the primary yet.`
    return seq < judge.seq ? `${server.name} is more than ${maxBehindMs / 1000} s behind the primary.` : undefined
  } catch (error) {
    if (error instanceof StoreFailure) return error.message
    return `${server.name} does not have the tables of this release.`
  }
}

/** Remembers the newest changes of the primary for the time that a replica may be behind. */
export class ChangeHistory {
  #seen: { readonly atMs: number; readonly seq: bigint }[] = []

  add(seq: bigint, atMs: number): void {
    this.#seen.push({ atMs, seq })
  }

  /** Returns the newest number that the primary had when the allowed time began, or at first. */
  before(nowMs: number): bigint {
    const known = this.#seen.findLastIndex(({ atMs }) => atMs <= nowMs - maxBehindMs)
    if (known > 0) this.#seen.splice(0, known)
    return this.#seen[0]?.seq ?? 0n
  }
}
