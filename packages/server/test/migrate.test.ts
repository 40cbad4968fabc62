/** `periplus migrate`: the data folder moves to PostgreSQL while it is served and written to, whatever is killed. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { lockMigration } from '../src/store/folder/moved.ts'
import { controlTables } from '../src/store/migration/tables.ts'
import { moveFolder } from '../src/store/move-to-database.ts'
import { main, nodeArgs, periplus, serve } from './cli.ts'
import { openUsage, verifyFolder } from './composed.ts'
import { describeWith, execute, useDatabase } from './engines.ts'
import { send } from './http-client.ts'
import { openJournalNode, useBlobs, useFolder, usePool } from './journal-node.ts'
import { killedAt } from './kills.ts'
import { configFor, importRows, makeKey, ndjson, scratch } from './world.ts'
import { deletions, locations, reviews } from './world-rows.ts'

const folder = scratch()
afterAll(folder.remove)
const data = folder.path
const config = configFor(data, { store: 'folder' })
const place = (id: number) => ({ id, name: `Place ${id}`, lat: 1, lon: 1 })
const paths = ['/locations/1', '/locations/900001', '/locations/900002', '/locations/900003']
const calls = async (url: string, secret: string) => {
  const answers = []
  for (const path of paths) {
    const { status, text } = await send(url, path, { headers: { 'X-API-Key': secret } })
    answers.push({ status, body: status === 200 ? JSON.parse(text.replaceAll(url, '')).data : undefined })
  }
  return answers
}

/** Returns the calls that the ledger counts. */
async function countCalls(store: string): Promise<number> {
  const { usage, close } = openUsage(configFor(data, { store }))
  try {
    const { rows } = await usage.report({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, ['status'], 'UTC')
    return rows.reduce((sum, row) => sum + row.calls, 0)
  } finally {
    await close()
  }
}

/** Tables without rows in a folder that has places only, whose other stores are filled. */
const emptyTables = [
  'merges',
  'merged_keys',
  'reviews',
  'review_places',
  'hidden_reviews',
  'review_ranks',
  'tombstones',
  'feed_downloads',
]

/** Adds a row with every type of value to each table of control.sqlite but those that have rows. */
function fillTables(folder: string): void {
  const db = new Database(join(folder, 'control.sqlite'))
  db.pragma('foreign_keys = OFF')
  const samples: Readonly<Record<string, unknown>> = { INTEGER: 7, BLOB: Buffer.from([0, 255, 92, 10]) }
  const sampleOf = ({ name, type }: { name: string; type: string }) =>
    samples[type] ?? (['request', 'result'].includes(name) ? '{"a": 1.0, "b":"\\n"}' : 'x\ty\\n\\.\né😀')
  for (const { name, store } of controlTables) {
    if (store !== 'control' || db.prepare(`SELECT 1 FROM "${name}"`).get() !== undefined) continue
    const columns = db.prepare<[], { name: string; type: string }>(`SELECT * FROM pragma_table_info('${name}')`).all()
    const names = columns.map(column => `"${column.name}"`).join(', ')
    db.prepare(`INSERT INTO "${name}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`).run(
      ...columns.map(sampleOf),
    )
  }
  db.close()
}

/** Checks that a folder moves to an empty database, and not to one in use. */
async function movesToEmptyDatabase(used: string): Promise<void> {
  const other = scratch()
  onTestFinished(other.remove)
  await importRows(configFor(other.path, { store: 'folder' }), 'location', [place(1), place(2)])
  const args = ['migrate', '--data', other.path, '--json', '--to']
  const refused = await periplus([...args, used])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is in use\. Create an empty database/)])
  fillTables(other.path)
  const url = await useDatabase()
  const moved = await periplus([...args, url])
  expect(moved.code, moved.stderr).toBe(0)
  const { tables } = moved.json() as { tables: { table: string; rows: number; sha256: string }[] }
  expect(tables).toContainEqual({ table: 'locations', rows: 2, sha256: expect.stringMatching(/^[\da-f]{64}$/) })
  expect(tables).toContainEqual({ table: 'record_ids', rows: 2, sha256: expect.stringMatching(/^[\da-f]{64}$/) })
  expect(tables.filter(({ rows }) => rows === 0).map(({ table }) => table)).toEqual(emptyTables)
  // Numbers continue after those that were moved.
  await execute(url, `INSERT INTO outbox (id, type, at, data, unique_key) VALUES ('new', 't', 1, '{}', 'new')`)
  expect(moved.stderr).toMatch(/^Copying places and reviews\.\n/)
}

describeWith(['pg'], 'periplus migrate', () => {
  test('refuses a database in use, an address without a database, and a wrong URL', { timeout: 60_000 }, async () => {
    await importRows(config, 'location', locations)
    const url = await useDatabase()
    await execute(url, 'CREATE TABLE other (one integer)')
    const used = await periplus(['migrate', '--data', data, '--to', url])
    expect(used.code).toBe(1)
    expect(used.stderr).toMatch(/has tables of another application\. Use an empty database\./)
    const absent = await periplus(['migrate', '--data', data, '--to', `${url}_absent`])
    expect(absent.stderr).toMatch(/does not exist\. Create it/)
    const wrong = await periplus(['migrate', '--data', data, '--to', 'mysql://db'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/^Name an empty database with --to/)])
    expect(readdirSync(data)).not.toContain('MOVED')
    const toFolder = (env: Record<string, string>) => periplus(['migrate', '--data', data, '--to', 'folder'], { env })
    expect(await toFolder({})).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Name the database that moves/),
    })
    const unknown = await toFolder({ PERIPLUS_STORE: url })
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/with PERIPLUS_PEPPER_FILE/) })
    const full = await toFolder({ PERIPLUS_STORE: url, PERIPLUS_PEPPER_FILE: join(data, 'pepper') })
    expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not empty\. Name a new or empty folder/) })
  })

  test('refuses blobs that do not fit, and a folder that is being moved', async () => {
    await importRows(config, 'location', locations)
    const url = await useDatabase()
    const blobs = useFolder()
    mkdirSync(join(blobs, 'feeds'))
    writeFileSync(join(blobs, 'feeds/x'), '')
    const move = async (...args: string[]) => (await periplus(['migrate', '--data', data, '--to', url, ...args])).stderr
    expect(await move('--blobs', 's4://x')).toMatch(/^--blobs: The address must be the path of a folder, or look like/)
    expect(await move('--blobs', join(blobs, 'absent'))).toMatch(/does not exist\. Create it, or mount its storage\./)
    expect(await move('--blobs', blobs)).toMatch(/has files of another database\. Name an empty place with --blobs\./)
    const lock = lockMigration(data)
    try {
      expect(await move()).toMatch(/^Another process is moving the data of .* Wait until it has ended\./)
    } finally {
      lock.release()
    }
  })

  test('refuses databases that do not fit, and names the nodes in the way', async () => {
    const [url, node] = [await useDatabase(), useFolder()]
    const back = (pepper: string) => {
      const env = { PERIPLUS_STORE: url, PERIPLUS_PEPPER_FILE: pepper }
      return periplus(['migrate', '--data', useFolder(), '--to', 'folder'], { env })
    }
    const pepper = join(node, 'pepper')
    expect((await back(pepper)).stderr).toMatch(/has no data of Periplus\. Set the setting store to another URL\./)
    await importRows(configFor(node, { store: url }), 'location', [place(1)])
    writeFileSync(join(node, 'other'), 'no pepper')
    expect((await back(join(node, 'other'))).stderr).toMatch(
      /other is not the pepper of Database .* a node with PERIPLUS_/,
    )
    const silent = await openJournalNode(usePool(url), await useBlobs(), true)
    await silent.call(2)
    await silent.fold()
    const { code, stderr } = await back(pepper)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /The journal is not complete in the ledger and in the blobs: node [-0-9a-f]{36}\. Start the/,
      ),
    ])
    expect(stderr).toContain(silent.node)
  })

  test('moves a served folder, after kills and with writes', { timeout: 120_000 }, async () => {
    await importRows(config, 'review', reviews)
    await importRows(config, 'location', deletions)
    const { secret } = await makeKey(config, { packageName: 'innovate' })
    const url = await useDatabase()
    const args = ['migrate', '--data', data, '--to', url]
    const service = await serve(data)
    await importRows(config, 'location', [place(900_001)])

    // Killed after the copy of the records, the service continues, and so do imports and keys.
    await killedAt('lock import-lock.sqlite', args)
    await importRows(config, 'location', [place(900_002)])
    const before = await calls(service.url, secret)
    expect(before.map(({ status }) => status).slice(1)).toEqual([200, 200, 404])
    const early = await periplus(['serve', '--data', data, '--port', '0'], { env: { PERIPLUS_STORE: url } })
    expect(early.stderr).toMatch(/has stores of its own/)

    // Records that change during the copy are copied; a failure afterwards leaves the folder as it was.
    const failing = moveFolder(data, url, {
      onStep: step => {
        if (step === 'complete') throw new Error('the last step fails')
        if (step !== 'lock') return
        const row = ndjson([place(900_003)])
        const done = spawnSync(process.execPath, [...nodeArgs, main, 'import', '-', '--data', data], { input: row })
        expect(done.status, String(done.stderr)).toBe(0)
      },
      onProgress: () => {},
    })
    await expect(failing).rejects.toThrow('the last step fails')
    expect(await service.ended).toEqual([0, null])
    expect(readdirSync(data).filter(name => /^MOV/.test(name))).toEqual([])

    // Killed when everything is copied, the folder can still be served.
    await killedAt('rename MOVED', args)
    const again = await serve(data)
    const expected = await calls(again.url, secret)
    expect(expected.map(({ status }) => status).slice(1)).toEqual([200, 200, 200])
    const counted = await countCalls('folder')

    // Killed when the data has moved, nothing opens the folder until the move is complete.
    await killedAt('rename node.json', args)
    expect(await again.ended).toEqual([0, null])
    const refused = await periplus(['keys', 'list', '--data', data])
    expect(refused.stderr).toMatch(/has moved to postgres:\/\/.*Set the setting store to that URL/)
    const incomplete = await periplus(['keys', 'list', '--data', data], { env: { PERIPLUS_STORE: url } })
    expect(incomplete.stderr).toMatch(/is not complete\. Run periplus migrate on it again\./)
    const other = await periplus(['migrate', '--data', data, '--to', `${url}_other`])
    expect(other.stderr).toMatch(/Complete the move with that URL\./)
    expect((await periplus([...args, '--json'])).json()).toMatchObject({ ok: true, data, tables: [] })

    const node = await serve(data, [], { PERIPLUS_STORE: url })
    const after = await calls(node.url, secret)
    expect(after).toEqual(expected)
    expect(await node.stop()).toBe(0)
    expect(await countCalls(url)).toBe(counted + after.length)
    expect(await verifyFolder(configFor(data, { store: url }))).toEqual([])
    await movesToEmptyDatabase(url)
  })
})
