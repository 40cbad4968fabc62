import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { composeImport } from '../../src/compose/import.ts'
import { composeServer } from '../../src/compose/server.ts'
import { connect } from '../../src/store/connection.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { controlMigrations } from '../../src/store/sqlite/migrations/control.ts'
import { dataMigrations } from '../../src/store/sqlite/migrations/data.ts'
import { operatorEventsMigration } from '../../src/store/sqlite/migrations/events.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { periplus, serve } from '../cli.ts'
import { send } from '../http-client.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, makeFolder, scratch, startWorld } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)
let files = 0
const freshFile = () => join(folder.path, `${++files}.sqlite`)
const freshData = () => join(folder.path, `data-${++files}`)

const place = (id: number, name = `Place ${id}`) => ({ id, name, lat: 1, lon: 1 })

describe('migrations (ARCHITECTURE.md)', () => {
  const first = 'CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1)'
  const second = 'ALTER TABLE a ADD COLUMN y INTEGER NOT NULL DEFAULT 7'
  const open = (file: string, migrations: string[]) =>
    openSqlite(file, migrations, { create: true, synchronous: 'NORMAL' })

  test('copies an older file before its migration to the newest schema', () => {
    const file = freshFile()
    open(file, [first]).close()
    const db = open(file, [first, second])
    expect(db.prepare('SELECT * FROM a').all()).toEqual([{ x: 1, y: 7 }])
    expect(db.pragma('user_version', { simple: true })).toBe(2)
    db.close()
    const backup = new Database(`${file}.schema-1.bak`, { readonly: true })
    expect(backup.prepare('SELECT * FROM a').all()).toEqual([{ x: 1 }])
    expect(backup.pragma('user_version', { simple: true })).toBe(1)
    backup.close()
  })

  test('copies neither a new file nor one that is up to date', () => {
    const file = freshFile()
    open(file, [first, second]).close()
    open(file, [first, second]).close()
    expect(
      existsSync(`${file}.schema-0.bak`) || existsSync(`${file}.schema-1.bak`) || existsSync(`${file}.schema-2.bak`),
    ).toBe(false)
  })

  test('webhooks of partners no longer receive upgrade.requested, which is an event of the operator (R-70)', () => {
    const file = freshFile()
    const older = controlMigrations.slice(0, controlMigrations.indexOf(operatorEventsMigration))
    const db = open(file, [...older])
    const add = db.prepare(
      "INSERT INTO webhook_endpoints VALUES (?, ?, NULL, 'https://a.example', ?, x'00', NULL, NULL, 'active', NULL, NULL, 1, 3)",
    )
    db.exec("INSERT INTO partners (id, name, created_ms) VALUES ('acme', 'Acme', 1)")
    add.run('both', 'acme', '["key.created","upgrade.requested"]')
    add.run('only', 'acme', '["upgrade.requested"]')
    add.run('other', 'acme', '["key.created"]')
    add.run('operators', null, '["upgrade.requested"]')
    db.exec(`
      INSERT INTO outbox (seq, id, type, partner, at, data, unique_key)
        VALUES (1, 'a', 'upgrade.requested', 'acme', 1, '{}', 'a'), (2, 'b', 'key.created', 'acme', 1, '{}', 'b');
      INSERT INTO deliveries (id, endpoint, seq, attempt, state, next, answers)
        VALUES ('1', 'both', 1, 0, 'pending', 1, '[]'), ('2', 'both', 2, 0, 'pending', 1, '[]'),
          ('3', 'only', 1, 0, 'delivered', NULL, '[]'), ('4', 'operators', 1, 0, 'pending', 1, '[]')`)
    migrate(db, file, controlMigrations)
    const rows = db.prepare('SELECT id, types, revision FROM webhook_endpoints ORDER BY id').raw().all()
    expect(rows).toEqual([
      ['both', '["key.created"]', 4],
      ['only', '[]', 4],
      ['operators', '["upgrade.requested"]', 3],
      ['other', '["key.created"]', 3],
    ])
    expect(db.prepare('SELECT id FROM deliveries ORDER BY id').pluck().all()).toEqual(['2', '3', '4'])
    db.close()
  })

  test('a failed migration leaves the file unchanged', () => {
    const file = freshFile()
    open(file, [first]).close()
    expect(() => open(file, [first, `${second}; SELECT nonsense FROM nowhere`])).toThrow(/nowhere/)
    const db = connect(file)
    expect([db.pragma('user_version', { simple: true }), db.prepare('SELECT * FROM a').all()]).toEqual([1, [{ x: 1 }]])
    expect(() => migrate(db, file, [first, second])).not.toThrow()
    db.close()
  })

  test.each([
    ['control', controlMigrations.length],
    ['data', dataMigrations.length],
  ] as const)('refuses a newer %s file with a message', async (which, known) => {
    const data = freshData()
    await importRows(configFor(data), 'location', [place(1)])
    const file = filesOf(data)[which]
    const db = new Database(file)
    db.pragma(`user_version = ${known + 1}`)
    db.close()
    for (const command of [
      ['serve', '--port', '0'],
      ['import', '-'],
    ]) {
      const ran = await periplus([...command, '--data', data], { stdin: '' })
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toContain(`${which}.sqlite has schema version ${known + 1}`)
      expect(ran.stderr).toContain('newer release')
      expect(ran.stderr).not.toContain('unexpected')
    }
    expect(readdirSync(dirname(file)).filter(name => name.endsWith('.bak'))).toEqual([])
  })
})

describe('exclusive processes (ARCHITECTURE.md)', () => {
  test('refuses a second server on a folder until the first has ended, even by SIGKILL', async () => {
    const data = freshData()
    makeFolder(configFor(data))
    const first = await serve(data)
    const second = await periplus(['serve', '--data', data, '--port', '0'])
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('Another Periplus process serves') })
    expect((await send(first.url, '/healthz')).status).toBe(200)
    expect(await first.stop('SIGKILL')).toBeNull()
    const third = await serve(data)
    expect(await third.stop()).toBe(0)
    expect(await (await serve(data)).stop()).toBe(0)
  })

  test('refuses a second import on a folder, but not an import next to a server', async () => {
    const config = configFor(freshData())
    makeFolder(config)
    const running = await composeServer(config, { demo: false })
    await running.listen()
    const importing = await composeImport(config, { dryRun: false })
    const second = await periplus(['import', '-', '--no-wait', '--data', config.data], { stdin: '' })
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('Another import is running') })
    await importing.close()
    const third = await periplus(['import', '-', '--data', config.data], { stdin: '' })
    expect(third.code).toBe(0)
    await running.drain()
  })
})

describe('an import while the service serves (README, ARCHITECTURE.md)', () => {
  test('serves new rows and refreshes cached answers', async () => {
    const world = await startWorld({}, 'empty')
    const import_ = (rows: object[], kind: 'location' | 'review' = 'location') => importRows(world.config, kind, rows)
    const get = async (path: string) => (await world.get(path)).text
    expect((await world.get('/locations/1')).status).toBe(404)
    await import_([place(1), place(2), place(3)])
    await expect.poll(() => get('/locations/1')).toContain('Place 1')
    const before = await world.get('/locations?ids=1,2,3')
    expect(before.text).toMatch(/Place 1.*Place 2.*Place 3/)

    await import_([place(2, 'Renamed')])
    await expect.poll(() => get('/locations/2')).toContain('Renamed')
    await expect.poll(() => get('/locations?ids=1,2,3')).toMatch(/Place 1.*Renamed.*Place 3/)
    await expect.poll(() => get('/catalog/locations/2')).toContain('Renamed')
    const after = await world.get('/locations?ids=1,2,3', { headers: { 'If-None-Match': before.headers.etag! } })
    expect(after.status).toBe(200)

    await import_([{ id: 1, location_id: 2, rating: 4, text: 'Fine.' }], 'review')
    await expect.poll(() => get('/locations/2')).toContain('"overall":{"rating":4,"count":1')
    await expect.poll(() => get('/locations/2/reviews?rating_min=1')).toContain('"total_elements":1')
    await import_([{ id: 2, location_id: 2, rating: 5 }], 'review')
    await expect.poll(() => get('/locations/2/reviews?rating_min=1')).toContain('"total_elements":2')

    await import_([{ id: 2, merged_into: 3 }])
    await expect.poll(() => get('/locations/2')).toMatch(/"id":3,.*"count":2/)
    await import_([{ id: 3, deleted: true }])
    await expect.poll(async () => (await world.get('/locations/3')).status).toBe(404)
    expect((await world.get('/locations/2')).status).toBe(404)
    await world.close()
  })

  test('serves the new rows after more changes than it follows individually', async () => {
    const world = await startWorld({}, 'empty')
    const rows = (name: string) => Array.from({ length: 12_000 }, (_, i) => place(i + 1, name))
    await importRows(world.config, 'location', rows('old'))
    const get = async () => (await world.get('/locations?ids=1,6000,12000')).text
    await expect.poll(get).toMatch(/old.*old.*old/)
    // Repeat the request so that its answer is cached.
    for (let i = 0; i < 5; i++) expect(await get()).toMatch(/old.*old.*old/)
    await importRows(world.config, 'location', rows('new'))
    await expect.poll(get).toMatch(/new.*new.*new/)
    await expect.poll(async () => (await world.get('/locations/1')).text).toContain('new')
    await world.close()
  })

  test('serves imported rows after a restart', async () => {
    const world = await startWorld()
    const before = (await world.get('/catalog/locations/1')).json()
    await world.restart()
    const { data } = (await world.get('/catalog/locations/1')).json() as { data: { names: unknown } }
    expect(data.names).toEqual((before as { data: { names: unknown } }).data.names)
    await world.close()
  })
})

test('SIGTERM completes open requests and exits with 0', async () => {
  const data = freshData()
  await importRows(configFor(data), 'location', [place(1)])
  const served = await serve(data)
  const answers = Promise.all(Array.from({ length: 20 }, () => send(served.url, '/healthz')))
  expect((await answers).every(reply => reply.status === 200)).toBe(true)
  expect(await served.stop()).toBe(0)
})
