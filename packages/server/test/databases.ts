/** Databases of tests on the PostgreSQL that all processes of a test run share. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { findSharedPostgres } from './setup/share-engines.ts'

/** Creates an empty database, or a copy of `template`, and returns its URL and a function that drops it. */
export async function createDatabase(template = 'template0'): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await findSharedPostgres()
  const name = `periplus_${randomUUID().replaceAll('-', '')}`
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  return { url: urlOf(server, name), drop: () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Creates the database `name` once a server, and has `fill` fill it; copies of it are cheap. */
export async function createTemplate(name: string, fill: (url: string) => Promise<void>): Promise<string> {
  const server = await findSharedPostgres()
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    // Processes wait for the one that fills it. A name without `_filling` is complete.
    await client.query(`SELECT pg_advisory_lock(hashtext($1))`, [name])
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (known.rowCount === 0) {
      await client.query(`DROP DATABASE IF EXISTS ${name}_filling`)
      await client.query(`CREATE DATABASE ${name}_filling TEMPLATE template0`)
      await fill(urlOf(server, `${name}_filling`))
      await client.query(`ALTER DATABASE ${name}_filling RENAME TO ${name}`)
    }
  } finally {
    await client.end()
  }
  return name
}

/** Runs statements on a database. */
export async function execute(url: string, sql: string): Promise<void> {
  await query(url, sql)
}

/** Runs a statement on a database, and returns its rows. Integers of 64 bits are texts. */
export async function query<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<T>(sql).finally(() => client.end())
  return rows
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
