import { type LimitStates, type StateSwap, StatesUnavailable, type SwapReply } from '../../domain/limit-states.ts'
import { StoreFailure } from '../../domain/store-errors.ts'
import { readClock } from './membership.ts'
import type { PostgresPool, Values } from './pool.ts'

/** Expiry of the epoch, which nodes renew every second. */
const epochLife = "interval '60 seconds'"
const readEpoch = '(SELECT epoch FROM shared_life WHERE epoch_until > clock_timestamp())'

/** The shared states in unlogged tables of PostgreSQL, for a cluster without a cache. */
export class PostgresLimitStates implements LimitStates {
  readonly #pool: PostgresPool

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  async get(subjects: readonly string[]): Promise<(string | undefined)[]> {
    const rows = await this.#query<{ subject: string; state: string }>(
      'SELECT subject, state FROM shared_states WHERE subject = ANY($1)',
      [subjects],
    )
    const states = new Map(rows.map(({ subject, state }) => [subject, state]))
    return subjects.map(subject => states.get(subject))
  }

  async swap(swaps: readonly StateSwap[]): Promise<SwapReply> {
    // In the order of subjects, so that writes of two nodes never wait for each other in a circle.
    const sorted = swaps.map((swap, i) => ({ ...swap, i })).sort((a, b) => (a.subject < b.subject ? -1 : 1))
    const [row] = await this.#query<{ was: (string | null)[] }>('SELECT swap_states($1, $2, $3) AS was', [
      sorted.map(({ subject }) => subject),
      sorted.map(({ expected }) => expected ?? null),
      sorted.map(({ next }) => next),
    ])
    const was: (string | undefined)[] = []
    for (const [at, { i }] of sorted.entries()) was[i] = row!.was[at] ?? undefined
    // Read after the commit of the swaps.
    return { was, epoch: await this.epoch() }
  }

  async identity(): Promise<string> {
    await this.#query('INSERT INTO shared_life DEFAULT VALUES ON CONFLICT DO NOTHING')
    const [row] = await this.#query<{ identity: string }>('SELECT identity::text FROM shared_life')
    return row!.identity
  }

  async epoch(): Promise<number | undefined> {
    const [row] = await this.#query<{ epoch: bigint | null }>(`SELECT ${readEpoch} AS epoch`)
    return row!.epoch === null ? undefined : Number(row!.epoch)
  }

  async raiseEpoch(from: number | undefined, to: number): Promise<boolean> {
    const rows = await this.#query(
      `UPDATE shared_life SET epoch = $2, epoch_until = clock_timestamp() + ${epochLife}
       WHERE CASE WHEN epoch_until > clock_timestamp() THEN epoch END IS NOT DISTINCT FROM $1::bigint RETURNING 1`,
      [from ?? null, to],
    )
    return rows.length > 0
  }

  /** A promoted standby has lost the states, so that no replaced primary can still decide in their epoch. */
  async failOverMs(): Promise<number> {
    return 0
  }

  async clockUs(): Promise<number> {
    const [row] = await this.#query<{ us: bigint }>(readClock)
    return Number(row!.us)
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  async #query<R>(text: string, values?: Values): Promise<R[]> {
    try {
      return await this.#pool.query<R>(text, values)
    } catch (error) {
      if (error instanceof StoreFailure) throw new StatesUnavailable(error.message, { cause: error })
      throw error
    }
  }
}
