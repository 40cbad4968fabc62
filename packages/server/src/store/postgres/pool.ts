import type pg from 'pg'
import { StoreFailure } from '../../domain/store-errors.ts'
import type { JsonColumns } from '../sql/database.ts'
import { loadPg } from './driver.ts'
import { noFreeConnection, toPostgresFailure } from './errors.ts'
import { releaseLevel } from './migrations/all.ts'
import {
  createSession,
  type HeldSession,
  inTransaction,
  type PostgresSession,
  type TransactionOptions,
  type Values,
} from './session.ts'

export { type HeldSession, inTransaction, type PostgresSession, type Values }

/** Longest waits of a connection, in milliseconds; 0 is without limit. */
export interface PostgresTimeouts {
  readonly connectMs: number
  /** Wait for a free connection of the pool. */
  readonly freeMs: number
  readonly statementMs: number
  readonly lockMs: number
  /** Time between two statements of a transaction. */
  readonly idleMs: number
}

/** Time after which a server that has not ended a statement does not answer, in milliseconds. */
const unansweredMs = 250

/** Timeouts of requests: what takes longer is answered with 503 within a second. */
export const servingTimeouts: PostgresTimeouts = {
  connectMs: 1000,
  freeMs: 250,
  statementMs: 750,
  lockMs: 1000,
  idleMs: 2000,
}

/** Timeouts of pages and the admin API: changes wait for each other, and lists read many rows. */
export const managementTimeouts: PostgresTimeouts = {
  connectMs: 1000,
  freeMs: 10_000,
  statementMs: 10_000,
  lockMs: 10_000,
  idleMs: 5000,
}

/** Time without traffic after which the system asks whether the other side of a connection exists, in milliseconds. */
const keepAliveMs = 10_000

/** Timeouts of commands and jobs in place of those of requests: nobody has to be answered within a second. */
export const commandTimeouts: PostgresTimeouts = {
  connectMs: 10_000,
  freeMs: 30_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleMs: 0,
}

/** Timeouts of imports, feeds and decisions. */
export const workTimeouts: PostgresTimeouts = {
  connectMs: 10_000,
  freeMs: 30_000,
  statementMs: 0,
  lockMs: 30_000,
  idleMs: 0,
}

/** Timeouts of folds and other short statements of background work: a server that does not answer ends none of it. */
export const shortTimeouts: PostgresTimeouts = {
  connectMs: 10_000,
  freeMs: 10_000,
  statementMs: 10_000,
  lockMs: 10_000,
  idleMs: 0,
}

export interface PostgresPoolOptions {
  /** `postgres://user@host:port/database`. The driver reads a missing password from PGPASSWORD or the pass file. */
  readonly url: string
  readonly connections: number
  readonly timeouts: PostgresTimeouts
  /** Settings of the planner, such as `enable_seqscan: 'off'`. */
  readonly planner?: Readonly<Record<string, string>>
  /** Called with each failure before it is thrown. */
  readonly onFailure?: ((failure: StoreFailure) => void) | undefined
  /** Called with the duration of each statement, in milliseconds; a failed one counts. */
  readonly onStatement?: ((ms: number) => void) | undefined
  /** Awaited before each use of a connection; an error is that of the use. */
  readonly beforeUse?: (() => Promise<void>) | undefined
}

/** Name of all connections, before the level of their release. */
const applicationName = 'periplus level'

/** Level of the release of a row of pg_stat_activity; NULL for connections of other applications. */
export const levelOfConnection = `substring(application_name FROM '^${applicationName} ([0-9]+)$')::integer`

/** Connections to one PostgreSQL database. */
export class PostgresPool implements JsonColumns {
  /** The database as messages name it; without user and password. */
  readonly name: string
  /** Host and port of the server. */
  readonly address: string
  readonly connections: number
  readonly onStatement: ((ms: number) => void) | undefined
  readonly #pool: pg.Pool
  readonly #freeMs: number
  readonly #onFailure: ((failure: StoreFailure) => void) | undefined
  readonly #beforeUse: (() => Promise<void>) | undefined
  readonly #ends = new Set<() => Promise<void>>()

  constructor({ url, connections, timeouts, planner = {}, onFailure, onStatement, beforeUse }: PostgresPoolOptions) {
    const driver = loadPg()
    const { host, port, database } = new driver.Client({ connectionString: url })
    this.address = `${host}:${port}`
    this.name = `Database ${database ?? 'postgres'} of PostgreSQL at ${this.address}`
    this.connections = connections
    this.#freeMs = timeouts.freeMs
    this.#onFailure = onFailure
    this.onStatement = onStatement
    this.#beforeUse = beforeUse
    this.#pool = new driver.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: timeouts.connectMs,
      statement_timeout: timeouts.statementMs,
      // A server that was stopped cannot end its statement.
      ...(timeouts.statementMs > 0 && { query_timeout: timeouts.statementMs + unansweredMs }),
      lock_timeout: timeouts.lockMs,
      idle_in_transaction_session_timeout: timeouts.idleMs,
      application_name: `${applicationName} ${releaseLevel}`,
      options: Object.entries(planner)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      types: { getTypeParser },
      Client: createPatientClient(driver),
    })
    // Without a listener, the end of an idle connection would end the process.
    this.#pool.on('error', () => {})
  }

  /** Number of statements that could start without waiting. */
  get free(): number {
    return this.#pool.idleCount + (this.connections - this.#pool.totalCount) - this.#pool.waitingCount
  }

  /** Runs a statement on a free connection; see PostgresSession. */
  query<R>(text: string, values?: Values): Promise<R[]> {
    return this.use(session => session.query<R>(text, values))
  }

  /** Runs a statement on a free connection; see PostgresSession. */
  run(text: string, values?: Values): Promise<number> {
    return this.use(session => session.run(text, values))
  }

  /** Runs statements on a free connection; see PostgresSession. */
  exec(sql: string): Promise<void> {
    return this.use(session => session.exec(sql))
  }

  /** Runs `work` in a transaction, which is rolled back if `work` throws. */
  transaction<T>(work: (session: PostgresSession) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.use(session => inTransaction(session, work, options))
  }

  /** Calls `work` with a connection. */
  async use<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    const session = await this.hold()
    try {
      return await work(session)
    } finally {
      session.release()
    }
  }

  /** Takes a connection, which the caller releases. Throws StoreFailure if all stay in use for too long. */
  async hold(): Promise<HeldSession> {
    if (this.#pool.ending) throw new Error('The engine is closed.')
    await this.#beforeUse?.()
    try {
      return createSession(await this.#connect(), this)
    } catch (error) {
      throw this.toFailure(error, true)
    }
  }

  /** Converts an error of the driver to a StoreFailure, and reports it; returns any other error. */
  toFailure(error: unknown, whileConnecting = false): unknown {
    const failure = toPostgresFailure(error, this.name, whileConnecting)
    if (failure && failure !== error) this.#onFailure?.(failure)
    return failure ?? error
  }

  /** Parses JSON that the database contains; throws StoreFailure if it is damaged. */
  parseJson<T>(text: string): T {
    try {
      return JSON.parse(text)
    } catch (error) {
      const failure = new StoreFailure('damaged', this.name, { cause: error })
      this.#onFailure?.(failure)
      throw failure
    }
  }

  /** Has `end` called when the pool closes. Returns a function that withdraws this; false if the pool has closed. */
  onClose(end: () => Promise<void>): () => boolean {
    this.#ends.add(end)
    return () => this.#ends.delete(end)
  }

  /** Closes all connections, and waits for those in use. */
  async close(): Promise<void> {
    if (this.#pool.ending) return
    for (const end of this.#ends) await end()
    await this.#pool.end()
  }

  async #connect(): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect()
    if (this.free >= 0 || this.#freeMs === 0) return connecting
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(resolve, this.#freeMs, undefined)
    const client = await Promise.race([connecting, late])
    clearTimeout(timer)
    if (client) return client
    connecting.then(
      unused => unused.release(),
      () => {},
    )
    const failure = noFreeConnection(this.name)
    this.#onFailure?.(failure)
    throw failure
  }
}

/** Creates the class of clients whose errors between statements end nothing: the next statement reports them. */
const createPatientClient = ({ Client }: typeof pg): typeof pg.Client =>
  class PatientClient extends Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.on('error', () => {})
      const end = this.end.bind(this) as (...values: unknown[]) => unknown
      // A server that was stopped does not close the connection, which must not keep this process running.
      const endUnreferenced = (...values: unknown[]) => {
        ;(this as unknown as { unref(): void }).unref()
        return end(...values)
      }
      this.end = endUnreferenced as typeof this.end
    }
  }

/** Object ids of types of PostgreSQL. */
const [int8, json] = [20, 114]
/** Columns of 64 bits are read as bigint, and JSON as its text. */
const parsers = new Map<number, (text: string) => unknown>([
  [int8, BigInt],
  [json, String],
])

const getTypeParser: typeof pg.types.getTypeParser = (id: number, format?: 'text' | 'binary') =>
  parsers.get(id) ?? loadPg().types.getTypeParser(id, format as 'text')
