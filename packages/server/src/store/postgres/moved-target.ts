import { StoreError } from '../../domain/store-errors.ts'
import type { Lock } from '../../domain/stores.ts'
import { toLine } from '../migration/copy-rows.ts'
import type { MovedColumns, MovedDatabase, MovedRow } from '../migration/moved-rows.ts'
import { controlTables, dataTables } from '../migration/tables.ts'
import { createPostgresLocks } from './engine-locks.ts'
import { migratePostgres } from './migrate.ts'
import { postgresMigrations } from './migrations/all.ts'
import { columnsOf, inRange, namesOf, quote, readRows } from './moved-tables.ts'
import { type HeldSession, inTransaction, PostgresPool, type PostgresSession, workTimeouts } from './pool.ts'

/**
 * Prepares a database for the stores of the folder `node`: its schema, and the mark that it is being filled, without
 * which no node uses it. Removes what an earlier attempt has left. Throws StoreError if the database is in use, and
 * NewerSchema.
 */
export async function openPostgresTarget(url: string, node: string): Promise<MovedDatabase> {
  const pool = new PostgresPool({ url, connections: 2, timeouts: workTimeouts })
  try {
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
export async function openFilledTarget(url: string): Promise<MovedDatabase> {
  const pool = new PostgresPool({ url, connections: 1, timeouts: workTimeouts })
  try {
    return createTarget(await pool.hold(), pool)
  } catch (error) {
    await pool.close()
    throw error
  }
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

function createTarget(session: HeldSession, pool: PostgresPool, lock?: Lock): MovedDatabase {
  const add = async ({ name: table, all }: MovedColumns, rows: readonly MovedRow[]) => {
    if (rows.length > 0)
      await session.copyIn(`COPY ${quote(table)} (${all.map(quote).join(', ')}) FROM STDIN`, [
        rows.map(toLine).join(''),
      ])
  }
  const transaction = <T>(work: () => Promise<T>) => inTransaction(session, work)
  return {
    transaction,
    add,
    columnsOf: table => columnsOf(session, table),
    read: (table, range) => readRows(session, table, range),
    replace: async (table, range, rows) => {
      const { text, values } = inRange(table, range)
      await session.run(`DELETE FROM ${quote(table.name)} AS t ${text}`, values)
      await add(table, rows)
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
