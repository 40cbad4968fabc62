import { createRequire } from 'node:module'
import type Pg from 'pg'
import { SyncFailed } from '../../domain/sync.ts'

/** Longest wait for a connection, in milliseconds. */
const connectMs = 10_000
/** Time that a statement may take longer for the client than for the server, in milliseconds. */
const graceMs = 5000

/** Settings of a connection to a source. */
export interface SourceConnection {
  readonly url: string
  /** Reads the password; undefined for the one in PGPASSWORD or in the pass file. Throws SyncFailed. */
  readonly readPassword: () => string | undefined
  /** Longest time of a statement, in milliseconds. */
  readonly statementMs: number
}

/** Returns the database of a URL as messages name it. */
export function databaseName(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `database ${decodeURIComponent(pathname.slice(1))} at ${hostname}${port && `:${port}`}`
}

/** Connects to a source and begins a transaction that can only read. Throws SyncFailed. */
export async function connectToSource({ url, readPassword, statementMs }: SourceConnection): Promise<Pg.Client> {
  const password = readPassword()
  // Loading the driver takes 20 ms of a process that does not use it.
  const { Client } = createRequire(import.meta.url)('pg') as typeof Pg
  const client = new Client({
    connectionString: url,
    ...(password !== undefined && { password }),
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + graceMs,
    lock_timeout: statementMs,
    // Rows are stored between two statements.
    idle_in_transaction_session_timeout: 0,
    application_name: 'periplus sync',
    keepAlive: true,
  })
  // Without a listener, the end of the connection between statements would end the process; the next statement fails.
  client.on('error', () => {})
  const end = () => void client.end().catch(() => {})
  try {
    await client.connect()
    await client.query(
      "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'",
    )
    return client
  } catch (error) {
    end()
    throw toSyncFailure(error, url)
  }
}

const advice: Readonly<Record<string, string>> = {
  '28P01': 'Check the user, and the password in secretFile, PGPASSWORD or the pass file.',
  '28000': 'Check the user, and the password in secretFile, PGPASSWORD or the pass file.',
  '3D000': 'Check the name of the database in the URL.',
  '42501': 'Grant the user SELECT on the tables of the query.',
  '42601': 'The query must be one SELECT.',
  // A parameter without a value.
  '08P01': 'The query must have no parameters: the condition on the cursor is added to it.',
  '57014': 'The statement took too long. Add an index on the cursor column, or raise timeoutSeconds.',
  '25006': 'The query must only read.',
  ECONNREFUSED: 'Check the host and the port, and that the server runs.',
  ENOTFOUND: 'Check the name of the host.',
}

/** Converts an error of the driver to a sentence for the operator; it never has a password. */
export function toSyncFailure(error: unknown, url: string): SyncFailed {
  if (error instanceof SyncFailed) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = (message || code).replace(/\.$/, '')
  return new SyncFailed(
    [`The ${databaseName(url)} could not be read: ${reason}.`, advice[code] ?? ''].join(' ').trim(),
    {
      cause: error,
    },
  )
}
