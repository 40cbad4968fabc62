/** `periplus sync` from a PostgreSQL database: runs, positions, removals, kills and wrong settings. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withEngine } from '../../src/compose/engine.ts'
import { createPostgresSource } from '../../src/ingest/postgres/source.ts'
import { periplus, periplusProcess, start } from '../cli.ts'
import { createDatabase, describeWith, execute } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { configFor, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

const hotels = `
  CREATE TABLE hotels (
    id integer PRIMARY KEY, name text, lat numeric(9, 6), lon double precision, categories text[], phone text,
    closed boolean NOT NULL DEFAULT false, updated_at timestamptz
  );
  INSERT INTO hotels SELECT n, 'Hotel ' || n, n / 1000.0, 1.5, ARRAY['hotel'], '+34 600 000 000', false,
    timestamptz '2024-11-20 10:00:00+02' + (n / 3000) * interval '1 second' FROM generate_series(1, 12000) AS n`
const query = 'SELECT id, name, lat, lon, categories, closed AS deleted, updated_at -- all\nFROM hotels;'

describeWith(['pg'], 'periplus sync from PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let folders = 0
  const newData = () => join(folder.path, `data-${++folders}`)
  const args = (data: string, ...more: string[]) => [
    ...['sync', 'hotels', '--from', database.url, '--query', query, '--cursor', 'updated_at', '--data', data, '--json'],
    ...more,
  ]
  const run = async (data: string, ...more: string[]) => {
    const ran = await periplus(args(data, ...more))
    expect(ran.stderr).toBe('')
    return ran.json()
  }
  const stateOf = async (data: string) =>
    (await periplus(['sync', 'list', '--data', data, '--json'])).json<{ syncs: object[] }>().syncs[0]

  beforeAll(async () => {
    database = await createDatabase()
    await execute(database.url, hotels)
  })
  afterAll(() => database?.drop())

  test('a killed run continues; later ones store changes and removals, and what committed late', async () => {
    const data = newData()
    const child = start(args(data))
    const ended = once(child, 'close')
    await eventually(async () => {
      const state = await withEngine(configFor(data), { create: false }, engine => engine.syncs.find('hotels'))
      expect(state?.position).toBeDefined()
    })
    child.kill('SIGKILL')
    await ended
    await run(data)
    expect(await run(data, '--full')).toMatchObject({ read: 12_000, added: 0, unchanged: 12_000, removed: 0 })
    expect(await stateOf(data)).toMatchObject({ position: '2024-11-20 08:00:04+00', failures: 0 })

    // The second change has the time of a transaction that began before the last row.
    await execute(
      database.url,
      `UPDATE hotels SET name = 'New name', updated_at = '2024-11-20T08:10:00Z' WHERE id = 5;
       UPDATE hotels SET name = 'Late', updated_at = '2024-11-20T08:00:03Z' WHERE id = 6;
       UPDATE hotels SET closed = true, lat = NULL, updated_at = '2024-11-20T08:10:00Z' WHERE id = 7`,
    )
    expect(await run(data)).toMatchObject({ changed: 2, added: 0, removed: 1, rejected: 0 })
    const jobs = (await periplus(['imports', 'list', '--data', data, '--json'])).json<{ imports: object[] }>().imports
    expect(jobs[0]).toMatchObject({ state: 'done', request: { files: ['hotels'], source: 'hotels' } })
    // A run without changes leaves no report.
    expect(await run(data)).toMatchObject({ changed: 0, removed: 0 })
    const later = (await periplus(['imports', 'list', '--data', data, '--json'])).json<{ imports: object[] }>().imports
    expect(later).toHaveLength(jobs.length)

    await execute(database.url, 'DELETE FROM hotels WHERE id BETWEEN 10 AND 19')
    expect(await run(data)).toMatchObject({ removed: 0 })
    expect(await run(data, '--full')).toMatchObject({ removed: 10 })
  })

  test('a time in the future hides no change, rows without a time come first, a rejected row is reported once', async () => {
    const data = newData()
    await execute(
      database.url,
      `CREATE TABLE odd AS SELECT id, name, lat, lon, 'hotels' AS source, now() AS updated_at FROM hotels WHERE id <= 4;
       UPDATE odd SET updated_at = '9999-12-31' WHERE id = 2;
       UPDATE odd SET updated_at = NULL WHERE id = 3;
       UPDATE odd SET lat = 400 WHERE id = 4`,
    )
    const odd = ['--query', 'SELECT * FROM odd']
    expect(await run(data, ...odd)).toMatchObject({ added: 3, rejected: 1 })
    await execute(database.url, "UPDATE odd SET name = 'New name', updated_at = now() WHERE id = 1")
    expect(await run(data, ...odd)).toMatchObject({ changed: 1, rejected: 1 })
    expect(await run(data, ...odd)).toMatchObject({ changed: 0, rejected: 1 })
    const { imports } = (await periplus(['imports', 'list', '--data', data, '--json'])).json<{ imports: object[] }>()
    expect(imports).toHaveLength(2)

    // Runs that continue read no rows without a time: a kill must not come before them.
    const source = createPostgresSource({
      ...{ url: database.url, query: odd[1]!, cursor: 'updated_at', kind: undefined, overlap: undefined },
      ...{ statementMs: 60_000, readPassword: () => undefined },
    })
    const rows = (await source.open(undefined))!
    const ids: unknown[] = []
    for await (const { record } of rows.inputs[0]!.input.rows!.rows) ids.push(record?.id)
    await rows.close()
    expect([ids[0], ids.at(-1)]).toEqual([3, 2])
  })

  test('runs the syncs of the configuration until a signal, and names rows without a cursor', async () => {
    const data = newData()
    const config = join(folder.path, 'periplus.yaml')
    const small = `SELECT id, name, lat, lon, CASE WHEN id = 100 THEN NULL ELSE id::bigint END AS seq FROM hotels WHERE id BETWEEN 100 AND 120`
    writeFileSync(
      config,
      JSON.stringify({
        data,
        sync: [{ name: 'few', from: database.url, query: small, cursor: 'seq', map: { name: 'name' } }],
      }),
    )
    const once = await periplus(['sync', '--config', config])
    expect([once.code, once.stdout]).toEqual([0, expect.stringContaining('Rows without seq: 1')])
    const child = start(['sync', '--every', '1s', '--config', config])
    await eventually(async () => {
      const state = await withEngine(configFor(data), { create: false }, engine => engine.syncs.find('few'))
      expect(state?.last.runs).toBeGreaterThan(2)
    })
    const closed = new Promise(resolve => child.once('close', resolve))
    child.kill('SIGTERM')
    expect(await closed).toBe(0)
    expect(await stateOf(data)).toMatchObject({ name: 'few', position: '120', added: 21, failures: 0 })
  })

  test('each wrong setting has a sentence, and a failed run is in the state', async () => {
    const data = newData()
    const refused = async (change: Readonly<Record<string, string>>, ...more: string[]) => {
      const flags = { '--from': database.url, '--query': query, '--cursor': 'updated_at', '--data': data, ...change }
      const ran = await periplus(['sync', 'hotels', ...Object.entries(flags).flat(), ...more])
      expect(ran.stdout).toBe('')
      return `${ran.code} ${ran.stderr.trim()}`
    }
    expect(await refused({ '--cursor': 'changed' })).toMatch(/^1 .*no column changed.*columns are: id, name, lat/)
    expect(await refused({ '--cursor': 'categories' })).toMatch(/^1 .*type has no order of changes/)
    expect(await refused({ '--query': 'SELECT id, id FROM hotels' })).toMatch(/^1 .*two columns with the name id/)
    expect(await refused({ '--query': 'SELEC 1' })).toMatch(/^1 .*syntax error.*must be one SELECT/)
    expect(await refused({ '--query': 'SELECT * FROM hotels WHERE updated_at > $1' })).toMatch(/^1 .*no parameters/)
    const two = 'SELECT 1) AS a; COMMIT; DELETE FROM hotels; SELECT * FROM (SELECT * FROM hotels'
    expect(await refused({ '--query': two })).toMatch(/^1 .*must be one SELECT/)
    expect(await refused({ '--map': 'bogus=name' })).toMatch(/^1 The field bogus in --map does not exist/)
    expect(await refused({ '--query': 'SELECT * FROM missing' })).toMatch(/^1 .*"missing" does not exist/)
    expect(await refused({ '--query': 'SELECT *, pg_sleep(5) FROM hotels' }, '--timeout', '1s')).toMatch(
      /^1 .*took too long/,
    )
    await execute(database.url, 'CREATE SEQUENCE IF NOT EXISTS numbers')
    const writing = "SELECT nextval('numbers') AS id, name, lat, lon, updated_at FROM hotels"
    expect(await refused({ '--query': writing })).toMatch(/^1 .*must only read/)
    expect(await refused({ '--query': 'SELECT name, updated_at FROM hotels' })).toMatch(
      /^1 .*No column was found for the id/,
    )
    expect(await stateOf(data)).toMatchObject({
      failures: 11,
      position: null,
      failure: expect.stringContaining('column'),
    })
    const unreachable = 'postgres://x@127.0.0.1:9/none'
    expect(await refused({ '--from': unreachable })).toMatch(/^1 The database none at 127.0.0.1:9 could not be read/)
    expect(await refused({ '--from': 'postgres://x:secret@127.0.0.1/x' })).toMatch(/^2 --from: the password must not/)
    expect(await refused({ '--from': 'ftp://x' })).toMatch(/^2 --from must be a URL/)
    expect(await refused({}, '--secret-file', '/nowhere')).toMatch(/^1 The file \/nowhere of secretFile cannot be read/)
    const without = await periplus(['sync', 'hotels', '--data', data])
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('has no sync hotels')])
    const checked = await periplusProcess(['config', 'check'], {
      env: { PERIPLUS_SYNC: '[{name: a, from: "postgres://u@h/d"}, {name: a, from: "https://x"}]' },
    })
    for (const text of ['name a is used twice', 'query', 'cursor', 'secretFile']) expect(checked.stderr).toContain(text)
  })
})
