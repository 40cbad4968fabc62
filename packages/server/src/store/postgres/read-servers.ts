import { StoreFailure } from '../../domain/store-errors.ts'
import type { PostgresPool, PostgresSession, Values } from './pool.ts'
import { type ReplicaJudge, type ReplicaState, readReplica } from './replica-judge.ts'
import type { TransactionOptions } from './session.ts'

/** Number of the primary among the servers; replicas are numbered from 1. */
const primary = 0

/**
 * The choice of the server that records are read from, in memory that all threads of a process share: its number, and
 * the number of changes of the choice.
 */
export const createReadChoice = (): SharedArrayBuffer => new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)

export interface ReadServersParts {
  readonly primary: PostgresPool
  readonly replicas: readonly PostgresPool[]
  readonly choice: SharedArrayBuffer
}

/** The state of a replica, with its host and port. */
export interface NamedReplica extends ReplicaState {
  readonly address: string
}

/** Receives a sentence when reads continue on another server. */
export type OnReadServer = (text: string) => void

/**
 * The servers that records can be read from: replicas, and the primary while no replica can be used. Reads stay on one
 * server; a read that finds it gone is repeated on another one.
 */
export class ReadServers {
  readonly #servers: readonly PostgresPool[]
  readonly #choice: Int32Array<SharedArrayBuffer>

  constructor({ primary: first, replicas, choice }: ReadServersParts) {
    this.#servers = [first, ...replicas]
    this.#choice = new Int32Array(choice)
  }

  /** Number of changes of the server; what was read before the last one may be newer than what is read now. */
  get generation(): number {
    return Atomics.load(this.#choice, 1)
  }

  parseJson<T>(text: string): T {
    return this.#servers[primary]!.parseJson(text)
  }

  query<R>(text: string, values?: Values): Promise<R[]> {
    return this.use(session => session.query<R>(text, values))
  }

  transaction<T>(work: (session: PostgresSession) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#try(server => server.transaction(work, options))
  }

  /** Calls `work` with a connection; calls it again with one to another server if the first server is gone. */
  use<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    return this.#try(server => server.use(work))
  }

  /**
   * Judges the replicas, and moves reads away from one that cannot be used, or from the primary to one that can.
   * Returns the state of each replica.
   */
  async check(judge: ReplicaJudge, onServer: OnReadServer): Promise<readonly NamedReplica[]> {
    const replicas = this.#servers.slice(1)
    const states = await Promise.all(replicas.map(server => readReplica(server, judge)))
    const problems = states.map(({ problem }) => problem)
    const at = Atomics.load(this.#choice, 0)
    const isUsable = at !== primary && problems[at - 1] === undefined
    const next = problems.indexOf(undefined) + 1
    if (!isUsable && next !== at && this.#move(at, next)) {
      const reason = at === primary ? '' : `${problems[at - 1]} `
      onServer(`${reason}Records are read from ${this.#nameOf(next)}.`)
    }
    return states.map((state, i) => ({ address: replicas[i]!.address, ...state }))
  }

  #nameOf(number: number): string {
    return number === primary ? 'the primary' : this.#servers[number]!.name
  }

  async #try<T>(read: (server: PostgresPool) => Promise<T>): Promise<T> {
    for (;;) {
      const at = Atomics.load(this.#choice, 0)
      try {
        return await read(this.#servers[at]!)
      } catch (error) {
        if (at === primary || !isGone(error)) throw error
        // The next check moves reads to another replica, if there is one.
        this.#move(at, primary)
      }
    }
  }

  #move(from: number, to: number): boolean {
    if (Atomics.compareExchange(this.#choice, 0, from, to) !== from) return false
    Atomics.add(this.#choice, 1, 1)
    return true
  }
}

/** Returns true for the failure of a server, unless only this process uses too many of its connections. */
const isGone = (error: unknown): boolean =>
  error instanceof StoreFailure &&
  (error.kind === 'busy' || (error.kind === 'unavailable' && error.cause !== undefined))
