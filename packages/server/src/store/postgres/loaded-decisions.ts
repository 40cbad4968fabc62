import type { Id } from '../../domain/id.ts'
import type { DecisionRows } from '../rows/decision-rules.ts'
import type { PostgresSession } from './pool.ts'

type State = 'hidden' | 'erased'

/** Decisions about reviews that a transaction has loaded, and their changes. */
export class LoadedDecisions implements DecisionRows {
  readonly #exist: boolean
  readonly #states = new Map<Id, State | undefined>()
  readonly #digests = new Set<string>()
  readonly #changedStates = new Map<Id, { state: State; atMs: number; reason: string | null } | undefined>()
  readonly #newDigests = new Map<string, number>()

  constructor(exist: boolean) {
    this.#exist = exist
  }

  /** Loads the decisions about reviews. */
  async loadStates(session: PostgresSession, ids: readonly Id[]): Promise<void> {
    if (!this.#exist || ids.length === 0) return
    const sql = 'SELECT id, state FROM moderated_reviews WHERE id = ANY($1)'
    for (const { id, state } of await session.query<{ id: Id; state: State }>(sql, [ids])) this.#states.set(id, state)
  }

  /** Loads the digests of erased reviews and users among `digests`. */
  async loadDigests(session: PostgresSession, digests: readonly Buffer[]): Promise<void> {
    if (!this.#exist || digests.length === 0) return
    const sql = 'SELECT digest FROM erasures WHERE digest = ANY($1::bytea[])'
    for (const { digest } of await session.query<{ digest: Buffer }>(sql, [digests]))
      this.#digests.add(digest.toString('hex'))
  }

  exist(): boolean {
    return this.#exist
  }

  findState(id: Id): State | undefined {
    return this.#states.get(id)
  }

  setState(id: Id, state: State, atMs: number, reason: string | null): void {
    this.#states.set(id, state)
    this.#changedStates.set(id, { state, atMs, reason })
  }

  clearState(id: Id): void {
    this.#states.delete(id)
    this.#changedStates.set(id, undefined)
  }

  hasDigest(digest: Buffer): boolean {
    return this.#digests.has(digest.toString('hex'))
  }

  addDigest(digest: Buffer, atMs: number): boolean {
    if (this.hasDigest(digest)) return false
    this.#digests.add(digest.toString('hex'))
    this.#newDigests.set(digest.toString('hex'), atMs)
    return true
  }

  async write(session: PostgresSession): Promise<void> {
    for (const [id, changed] of this.#changedStates) {
      await session.run('DELETE FROM moderated_reviews WHERE id = $1', [id])
      if (!changed) continue
      const values = [id, changed.state, changed.atMs, changed.reason]
      await session.run('INSERT INTO moderated_reviews (id, state, at_ms, reason) VALUES ($1, $2, $3, $4)', values)
    }
    for (const [digest, atMs] of this.#newDigests)
      await session.run(`INSERT INTO erasures (digest, at_ms) VALUES (decode($1, 'hex'), $2) ON CONFLICT DO NOTHING`, [
        digest,
        atMs,
      ])
  }
}
