import { StoreError } from '../../domain/store-errors.ts'
import type { Lock } from '../../domain/stores.ts'
import type { MovedColumns, MovedKey, MovedRange, MovedRow, MovedTarget } from '../migration/moved-rows.ts'
import { controlTables, dataTables, type MovedTable } from '../migration/tables.ts'
import { storable, toCopyRow } from './copy-text.ts'
import { createPostgresLocks } from './engine-locks.ts'
import { migratePostgres } from './migrate.ts'
import { postgresMigrations } from './migrations/all.ts'
import { type HeldSession, inTransaction, PostgresPool, type PostgresSession, workTimeouts } from './pool.ts'

/** The oldest version of PostgreSQL that is supported. */
const oldestVersion = 15

/**
 * Prepares a database for the stores of the folder `node`: its schema, and the mark that it is being filled, without
 * which no node uses it. Removes what an earlier attempt has left. Throws StoreError if the database is in use, and
 * NewerSchema.
 */
export async function openPostgresTarget(url: string, node: string): Promise<MovedTarget> {
  const pool = new PostgresPool({ url, connections: 2, timeouts: workTimeouts })
  try {
    await requireVersion(pool)
    await migratePostgres(pool, postgresMigrations)
    // Only one process fills a database.
    const message = `Another process uses ${pool.name}. Wait until it has ended.`
    const lock = await createPostgresLocks(pool).hold('serve', message)
    try {
      await pool.transaction(session => claim(session, pool.name, node))
      return createTarget(await pool.hold(), pool, lock)
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** Opens a database that has been filled. */
export async function openFilledTarget(url: string): Promise<MovedTarget> {
  const pool = new PostgresPool({ url, connections: 1, timeouts: workTimeouts })
  try {
    return createTarget(await pool.hold(), pool)
  } catch (error) {
    await pool.close()
    throw error
  }
}

async function requireVersion(pool: PostgresPool): Promise<void> {
  const [row] = await pool.query<{ version: string }>(`SELECT current_setting('server_version_num') AS version`)
  const version = Math.floor(Number(row!.version) / 10_000)
  if (version < oldestVersion)
    throw new StoreError(`${pool.name} is of version ${version}. Use PostgreSQL ${oldestVersion} or later.`)
}

/** Marks a database as being filled from a folder: the position of its node is known, and the database has no id. */
async function claim(session: PostgresSession, name: string, node: string): Promise<void> {
  await lockIdentity(session)
  if ((await session.query('SELECT 1 FROM cluster')).length > 0)
    throw new StoreError(`${name} is in use. Create an empty database, and move the data to that one.`)
  const nodes = await session.query<{ node: string }>('SELECT node::text AS node FROM usage_position')
  if (nodes.some(row => row.node !== node))
    throw new StoreError(`${name} contains an unfinished copy of another folder. Create an empty database instead.`)
  await session.exec(`TRUNCATE ${namesOf([...dataTables, ...controlTables])}`)
  await session.run("INSERT INTO usage_position (node, position) VALUES ($1, '')", [node])
}

/** Excludes nodes that join the database for the first time, until the end of the transaction. */
export const lockIdentity = (session: PostgresSession): Promise<void> =>
  session.exec('LOCK TABLE cluster IN SHARE ROW EXCLUSIVE MODE')

/** Throws StoreError if a database without an id is being filled. The session has locked the identity. */
export async function requireUnclaimed(session: PostgresSession, name: string): Promise<void> {
  if ((await session.query('SELECT 1 FROM usage_position')).length > 0)
    throw new StoreError(`${name} contains an unfinished copy of a data folder. Run periplus migrate on it again.`)
}

const quote = (name: string): string => `"${name}"`
const namesOf = (tables: readonly MovedTable[]): string => tables.map(({ name }) => quote(name)).join(', ')

function createTarget(session: HeldSession, pool: PostgresPool, lock?: Lock): MovedTarget {
  const add = async ({ name: table, all }: MovedColumns, lines: readonly string[]) => {
    if (lines.length > 0)
      await session.copyIn(`COPY ${quote(table)} (${all.map(quote).join(', ')}) FROM STDIN`, [lines.join('')])
  }
  const transaction = <T>(work: () => Promise<T>) => inTransaction(session, work)
  return {
    transaction,
    add,
    toLine,
    columnsOf: async table => {
      const rows = await session.query<{ name: string }>(
        `SELECT attname::text AS name FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
        [quote(table.name)],
      )
      return { ...table, all: rows.map(row => row.name) }
    },
    read: async (table, range) => {
      const { text, values } = inRange(table, range)
      const columns = table.all.map(column => `t.${quote(column)}::text AS ${quote(column)}`)
      const order = table.key.length > 0 ? `ORDER BY ${keyOf(table)}` : ''
      const rows = await session.query<Record<string, string | null>>(
        `SELECT ${columns.join(', ')} FROM ${quote(table.name)} AS t ${text} ${order}`,
        values,
      )
      return rows.map(row => toLine(table.all.map(column => row[column]!)))
    },
    replace: async (table, range, lines) => {
      const { text, values } = inRange(table, range)
      await session.run(`DELETE FROM ${quote(table.name)} AS t ${text}`, values)
      await add(table, lines)
    },
    empty: tables => session.exec(`TRUNCATE ${namesOf(tables)}`),
    setIdentity: async ({ storeId, revision }) => {
      await session.run('UPDATE store_identity SET store_id = $1, revision = $2', [storeId, revision])
    },
    setLastNumber: async (table, column, last) => {
      const sequence = 'pg_get_serial_sequence($1, $2)::regclass'
      if (last > 0) await session.query(`SELECT setval(${sequence}, $3)::text AS value`, [table, column, last])
    },
    finish: (database, pepperCheck) => transaction(() => finish(session, pool.name, database, pepperCheck)),
    close: async () => {
      session.release()
      await lock?.release()
      await pool.close()
    },
  }
}

async function finish(session: PostgresSession, name: string, database: string, pepperCheck: string): Promise<void> {
  await lockIdentity(session)
  const [found] = await session.query<{ id: string }>('SELECT id::text AS id FROM cluster')
  if (found === undefined)
    await session.run('INSERT INTO cluster (id, pepper_check) VALUES ($1, $2)', [database, pepperCheck])
  else if (found.id !== database)
    throw new StoreError(`${name} is not the database that the data has moved to: it has another id.`)
}

/** Returns the row as a line of COPY. */
const toLine = (row: MovedRow): string => toCopyRow(row.map(storable))

const keyOf = ({ key }: MovedTable): string => key.map(column => `t.${quote(column)}`).join(', ')

/** Returns the condition of a range, and its values. */
function inRange(table: MovedColumns, { after, end }: MovedRange): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const bound = (comparison: string, key: MovedKey): string[] => {
    if (key === undefined) return []
    const places = key.map(value => `$${values.push(value)}`)
    return [`(${keyOf(table)}) ${comparison} (${places.join(', ')})`]
  }
  const conditions = [...bound('>', after), ...bound('<=', end)]
  return { text: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values }
}
