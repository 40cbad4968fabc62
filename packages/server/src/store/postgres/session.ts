import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { StoreFailure } from '../../domain/store-errors.ts'
import type { JsonColumns } from '../sql/database.ts'
import { loadCopyStreams, loadPg } from './driver.ts'

/** Values of the parameters of a statement: $1, $2 …. */
export type Values = readonly unknown[]

/**
 * A connection in use. Statements are prepared once per connection, by their text, unless they read all columns.
 * `bigint` columns are read as bigint. Errors of the server or the network are StoreFailure.
 */
export interface PostgresSession {
  /** Returns the rows of a statement. */
  query<R>(text: string, values?: Values): Promise<R[]>
  /** Returns the number of rows that a statement has changed. */
  run(text: string, values?: Values): Promise<number>
  /** Runs statements without parameters, separated by semicolons. */
  exec(sql: string): Promise<void>
  /** Runs `COPY … FROM STDIN` with rows in its text format. */
  copyIn(sql: string, rows: Iterable<string>): Promise<void>
  /** Parses JSON of the database, also after the connection has been released. */
  readonly json: JsonColumns
}

/** A transaction's characteristics, as BEGIN names them. */
export interface TransactionOptions {
  readonly mode?: 'ISOLATION LEVEL REPEATABLE READ' | 'ISOLATION LEVEL REPEATABLE READ, READ ONLY' | 'READ ONLY'
}

/** A session that is outside the pool until `release`. */
export interface HeldSession extends PostgresSession {
  /** Calls `listener` if the connection ends before `release`. */
  onEnd(listener: () => void): void
  /** Returns the connection to the pool, or ends it without waiting for its statement. */
  release(mustEnd?: boolean): void
}

/** Runs `work` between BEGIN and COMMIT of a session; rolls back if `work` throws. */
export async function inTransaction<T, S extends PostgresSession>(
  session: S,
  work: (session: S) => Promise<T>,
  { mode = undefined }: TransactionOptions = {},
): Promise<T> {
  await session.exec(mode === undefined ? 'BEGIN' : `BEGIN ${mode}`)
  let result: T
  try {
    result = await work(session)
  } catch (error) {
    // A connection that is gone has rolled back.
    await session.exec('ROLLBACK').catch(() => {})
    throw error
  }
  await session.exec('COMMIT')
  return result
}

/** The pool of a session. */
interface SessionPool extends JsonColumns {
  /** Converts an error of the driver to a StoreFailure, and reports it; returns any other error. */
  toFailure(error: unknown): unknown
  /** Called with the duration of each statement, in milliseconds. */
  readonly onStatement?: ((ms: number) => void) | undefined
}

/** Creates the session of a connection. */
export const createSession = (client: pg.PoolClient, pool: SessionPool): HeldSession => new Session(client, pool)

class Session implements HeldSession {
  #onEnd = () => {}
  readonly #client: pg.PoolClient
  readonly #pool: SessionPool
  /** The error after which the connection must not be used again. */
  #broken: Error | undefined

  constructor(client: pg.PoolClient, pool: SessionPool) {
    this.#client = client
    this.#pool = pool
  }

  async query<R>(text: string, values: Values = []): Promise<R[]> {
    const { rows } = await this.#send<R & pg.QueryResultRow>(text, values)
    return rows
  }

  async run(text: string, values: Values = []): Promise<number> {
    return (await this.#send(text, values)).rowCount ?? 0
  }

  async exec(sql: string): Promise<void> {
    await this.#guard(this.#client.query(sql))
  }

  async copyIn(sql: string, rows: Iterable<string>): Promise<void> {
    await this.#guard(pipeline(rows, this.#client.query(loadCopyStreams().from(sql))))
  }

  get json(): JsonColumns {
    return this.#pool
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener
    this.#client.once('end', listener)
  }

  release(mustEnd = false): void {
    this.#client.off('end', this.#onEnd)
    this.#client.release(this.#broken ?? mustEnd)
  }

  async #send<R extends pg.QueryResultRow>(text: string, values: Values): Promise<pg.QueryResult<R>> {
    const { onStatement } = this.#pool
    const startMs = onStatement && performance.now()
    try {
      return await this.#guard(this.#client.query<R>({ name: nameOf(text), text, values: values as unknown[] }))
    } finally {
      if (startMs !== undefined) onStatement!(performance.now() - startMs)
    }
  }

  async #guard<T>(running: Promise<T>): Promise<T> {
    try {
      return await running
    } catch (error) {
      const failure = this.#pool.toFailure(error)
      // After a timeout of the client, the answer of the server may still arrive.
      if (!(error instanceof loadPg().DatabaseError) || failure instanceof StoreFailure) this.#broken = error as Error
      throw failure
    }
  }
}

const names = new Map<string, string>()

/** Statements that a prepared form would not survive: a newer release may add a column at any time. */
const allColumns = /^\s*SELECT (\w+\.)?\*/

/** Returns the name under which a statement is prepared; undefined if it is not. */
function nameOf(text: string): string | undefined {
  if (allColumns.test(text)) return undefined
  const known = names.get(text) ?? `s${names.size}`
  names.set(text, known)
  return known
}
