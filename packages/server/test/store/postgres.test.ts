import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { NewerSchema, StoreError, StoreFailure } from '../../src/domain/store-errors.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { PostgresPool, type PostgresTimeouts, servingTimeouts } from '../../src/store/postgres/pool.ts'
import { inPieces, storable } from '../../src/store/rows/copy-text.ts'
import { createDatabase, describeWith, useDatabase } from '../engines.ts'
import { eventually } from '../eventually.ts'

let url: string
let drop: () => Promise<void>

/** Opens a pool that the end of the test closes, and the failures that it reports. */
function openPool(more: Partial<PostgresTimeouts> = {}, connections = 2, at = url) {
  const failures: StoreFailure[] = []
  const timeouts = { ...servingTimeouts, connectMs: 10_000, statementMs: 0, ...more }
  const pool = new PostgresPool({ url: at, connections, timeouts, onFailure: failure => failures.push(failure) })
  onTestFinished(() => pool.close())
  return { pool, failures }
}

const backendOf = async (session: { query: PostgresPool['query'] }) =>
  (await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]!.pid
const terminate = (pool: PostgresPool, pid: number) => pool.query('SELECT pg_terminate_backend($1)', [pid])
const unavailable = (text: string) =>
  expect.objectContaining({ kind: 'unavailable', message: expect.stringMatching(new RegExp(`^Database .*${text}`)) })

describeWith(['pg'], 'connections to PostgreSQL', () => {
  beforeAll(async () => {
    const created = await createDatabase()
    url = created.url
    drop = created.drop
  }, inject('limitMs'))
  afterAll(() => drop())

  test('a server that cannot be reached and a missing database are reported by name', async () => {
    const { pool, failures } = openPool({}, 1, 'postgres://someone:secret@127.0.0.1:1/places')
    const name = 'Database places of PostgreSQL at 127.0.0.1:1'
    await expect(pool.query('SELECT 1')).rejects.toThrow(
      `${name} cannot be reached. Check that PostgreSQL runs and that its address is right.`,
    )
    expect(failures).toEqual([expect.any(StoreFailure)])
    const absent = openPool({}, 1, url.replace(/[^/]+$/, 'absent')).pool
    await expect(absent.query('SELECT 1')).rejects.toEqual(unavailable('does not exist'))
  })

  test('a connection that ends, in use or idle, is replaced', async () => {
    const { pool, failures } = openPool()
    const other = openPool().pool
    const ended = pool.use(async session => {
      await terminate(other, await backendOf(session))
      return session.query('SELECT 1')
    })
    await expect(ended).rejects.toEqual(unavailable('(is starting or shutting down|cannot be reached)'))
    await terminate(other, await backendOf(pool))
    await expect.poll(() => pool.query('SELECT 1').catch(() => [])).toHaveLength(1)
    expect(failures.length).toBeGreaterThan(0)
  })

  test('a statement, a lock or a free connection is waited for within limits', async () => {
    const { pool } = openPool({ statementMs: 50 })
    await expect(pool.query('SELECT pg_sleep(60)')).rejects.toEqual(unavailable('did not answer in time'))
    const patient = openPool({ lockMs: 50, freeMs: 50 }, 2).pool
    await patient.transaction(async first => {
      await first.query('SELECT pg_advisory_xact_lock(1)')
      const second = patient.transaction(session => session.query('SELECT pg_advisory_xact_lock(1)'))
      await expect(second).rejects.toMatchObject({ kind: 'busy' })
      const held = await patient.hold()
      await expect(patient.query('SELECT 1')).rejects.toEqual(unavailable('has no free connection'))
      held.release()
    })
    expect(await patient.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('an exception rolls a transaction back and reaches the caller; the connection stays', async () => {
    const { pool } = openPool({}, 1)
    await pool.exec('CREATE TABLE counted (n int)')
    const failing = pool.transaction(async session => {
      await session.run('INSERT INTO counted VALUES (1)')
      throw new Error('of the caller')
    })
    await expect(failing).rejects.toThrow('of the caller')
    await expect(pool.query('SELECT missing FROM counted')).rejects.not.toBeInstanceOf(StoreFailure)
    expect(await pool.query('SELECT count(*) AS n FROM counted')).toEqual([{ n: 0n }])
  })

  test('statements work while a column is added, and again after one has changed', async () => {
    const { pool } = openPool({}, 1)
    await pool.exec('CREATE TABLE widened (a int)')
    const all = 'SELECT * FROM widened'
    expect(await pool.query(all)).toEqual([])
    await pool.exec('ALTER TABLE widened ADD COLUMN b int')
    expect(await pool.transaction(session => session.query(all))).toEqual([])
    const readOne = () => pool.query('SELECT a FROM widened')
    await readOne()
    await pool.exec('ALTER TABLE widened ALTER COLUMN a TYPE bigint')
    await expect(readOne()).rejects.toEqual(unavailable('was upgraded'))
    expect(await readOne()).toEqual([])
  })

  test('COPY keeps every text and NULL', async () => {
    const { pool } = openPool()
    await pool.exec('CREATE TABLE copied (no int, value text)')
    const special = fc.constantFrom('\\', '\\N', '\t', '\n', '\r', '\\.', '"', '\u{1F600}', 'a')
    const texts = fc.sample(
      fc.option(
        fc.oneof(
          fc.array(special).map(parts => parts.join('')),
          fc.string({ unit: 'grapheme' }),
        ),
      ),
      { numRuns: 300, seed: 3 },
    )
    const rows = texts.map((text, i) => [i, storable(text)])
    await pool.use(session => session.copyIn('COPY copied FROM STDIN', inPieces(rows)))
    const found = await pool.query<{ value: string | null }>('SELECT value FROM copied ORDER BY no')
    expect(found.map(({ value }) => value)).toEqual(rows.map(([, value]) => value))
  })
})

describeWith(['pg'], 'migrations of PostgreSQL', () => {
  const [first, second] = [
    { sql: 'CREATE TABLE a (n int)' },
    { sql: 'CREATE TABLE b (n int); INSERT INTO b VALUES (1)' },
  ]
  const versions = (pool: PostgresPool) => pool.query('SELECT version, oldest FROM schema')

  test('run once, in order, also in two processes at the same time', async () => {
    const at = await useDatabase()
    const pools = [openPool({}, 1, at).pool, openPool({}, 1, at).pool]
    await Promise.all(pools.map(pool => migratePostgres(pool, [first])))
    await Promise.all(pools.map(pool => migratePostgres(pool, [first, second])))
    expect(await versions(pools[0]!)).toEqual([{ version: 2, oldest: 1 }])
    expect(await pools[0]!.query('SELECT n FROM b')).toEqual([{ n: 1 }])
  })

  test('a release works with a newer schema while that supports it, and refuses it afterwards', async () => {
    const { pool } = openPool({}, 1, await useDatabase())
    const known = [first]
    await migratePostgres(pool, [first, { sql: 'ALTER TABLE a ADD COLUMN more int' }])
    await migratePostgres(pool, known)
    expect(await versions(pool)).toEqual([{ version: 2, oldest: 1 }])
    await pool.exec('UPDATE schema SET oldest = 2')
    await expect(migratePostgres(pool, known)).rejects.toEqual(
      expect.objectContaining({ constructor: NewerSchema, found: 2, known: 1 }),
    )
  })

  test('create an index while writers work, also after an attempt that was killed', async () => {
    // One connection writes, one migrates and one watches.
    const { pool } = openPool({}, 3, await useDatabase())
    await migratePostgres(pool, [first])
    await pool.exec('INSERT INTO a VALUES (1), (1)')
    // What a killed attempt leaves: an index that exists and is not valid.
    await expect(pool.exec('CREATE UNIQUE INDEX CONCURRENTLY a_by_n ON a (n)')).rejects.toThrow()
    const writer = await pool.hold()
    await writer.exec('BEGIN; INSERT INTO a VALUES (2)')
    const migrating = migratePostgres(pool, [first, { index: 'a_by_n', on: 'a (n)' }])
    const steps = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(DROP|CREATE) INDEX'"
    await eventually(async () => expect(await pool.query(steps)).toHaveLength(1))
    await writer.exec('INSERT INTO a VALUES (3); COMMIT')
    writer.release()
    await migrating
    expect(await versions(pool)).toEqual([{ version: 2, oldest: 1 }])
    expect(await pool.query("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'a_by_n'::regclass")).toEqual([
      { valid: true },
    ])
  })

  describe('are refused', () => {
    test('in a database of another application, which stays as it is', async () => {
      const { pool } = openPool({}, 1, await useDatabase())
      await pool.exec('CREATE TABLE theirs (n int)')
      await expect(migratePostgres(pool, [first])).rejects.toEqual(
        expect.objectContaining({
          constructor: StoreError,
          message: expect.stringMatching(/has tables of another application\. Use an empty database\.$/),
        }),
      )
      expect(await pool.query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()')).toHaveLength(1)
    })

    test('in a server that is too old', async () => {
      const { pool } = openPool({}, 1, await useDatabase())
      await pool.exec(`CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '140011' $$;
        SET search_path = public, pg_catalog`)
      await expect(migratePostgres(pool, [first])).rejects.toThrow('is of version 14. Use PostgreSQL 15 or later.')
    })

    test('by an error, which leaves nothing behind', async () => {
      const { pool } = openPool({}, 1, await useDatabase())
      await expect(migratePostgres(pool, [first, { sql: 'CREATE TABLE c (n int); SELECT 1/0' }])).rejects.toThrow()
      expect(await versions(pool)).toEqual([{ version: 1, oldest: 1 }])
      expect(await pool.query(`SELECT to_regclass('c') AS c`)).toEqual([{ c: null }])
    })
  })
})
