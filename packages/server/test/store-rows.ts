import Database from 'better-sqlite3'
import pg from 'pg'
import type { Config } from '../src/config/load.ts'
import { filesOf } from './store-files.ts'

type Row = Record<string, unknown>

/** Returns all rows of a table of the stores of a configuration; no rows if the engine has no such table. */
export async function readTable(config: Config, file: 'control' | 'data', table: string): Promise<Row[]> {
  if (config.store === 'folder') {
    const db = new Database(filesOf(config.data)[file], { readonly: true })
    try {
      return db.prepare(`SELECT * FROM ${table}`).all() as Row[]
    } finally {
      db.close()
    }
  }
  return runOn(config, async client => {
    const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1)::text AS found', [table])
    if (rows[0]!.found === null) return []
    const found = await client.query<Row>(`SELECT * FROM ${table} ORDER BY ctid`)
    // SQLite has this column without showing it.
    return found.rows.map(({ rowid, ...row }) => row)
  })
}

/** Lists the tables of the control data of a configuration. */
export async function listTables(config: Config): Promise<readonly string[]> {
  if (config.store === 'folder') {
    const db = new Database(filesOf(config.data).control, { readonly: true })
    try {
      return db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
    } finally {
      db.close()
    }
  }
  const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
  return runOn(config, async client => {
    const { rows } = await client.query<{ tablename: string }>(tables)
    return rows.map(({ tablename }) => tablename)
  })
}

async function runOn<T>({ store }: Config, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: store })
  await client.connect()
  return work(client).finally(() => client.end())
}
