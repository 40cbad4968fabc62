import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { describeEngine } from '../../src/compose/engine.ts'
import { composeServer } from '../../src/compose/server.ts'
import { openEngine } from '../../src/store/engine.ts'
import { locks } from '../../src/store/postgres/locks.ts'
import { periplus, serve } from '../cli.ts'
import { describeWith, execute, startPostgres, useDatabase } from '../engines.ts'
import { send } from '../http-client.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { suspend } from '../suspend.ts'
import { configFor, importRows, makeFolder, makeKey, scratch } from '../world.ts'

const place = (id: number) => ({ id: BigInt(id), name: `Place ${id}`, latitude: 1, longitude: 1, country: 'ES' })

const useFolder = (): string => {
  const folder = scratch()
  onTestFinished(folder.remove)
  return folder.path
}

/** Returns true if a node serves a database. */
async function isServed(store: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: store })
  await client.connect()
  const sql = 'SELECT 1 FROM pg_locks WHERE granted AND classid = $1 AND objid = $2'
  const { rowCount } = await client
    .query(sql, [Math.floor(locks.serve / 2 ** 32), locks.serve % 2 ** 32])
    .finally(() => client.end())
  return rowCount === 1
}

describeWith(['pg'], 'a service on a database (R-122)', () => {
  test('answers 503 without its database, works again after it, and counts every call once (R-123)', async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.stop)
    const config = configFor(useFolder(), { store: postgres.url })
    await importRows(config, 'location', [place(1), place(2), place(3), place(4)])
    const { secret } = await makeKey(config)
    const env = { PERIPLUS_STORE: postgres.url }
    const served = await serve(config.data, [], env)
    onTestFinished(() => void served.stop())
    let answered = 0
    const get = async (id: number) => {
      const reply = await send(served.url, `/locations/${id}`, { headers: { 'X-API-Key': secret } })
      answered += Number(reply.status === 200)
      return reply
    }
    const becomes = (id: number, status: number) => expect.poll(async () => (await get(id)).status).toBe(status)
    // On a busy machine, a statement that takes too long is an outage of its own.
    const outages = () => served.log().match(/Until it can be used|can be used again/g) ?? []
    const ended = (count: number) =>
      expect.poll(() => outages().length >= 2 * count && outages().at(-1)).toBe('can be used again')
    expect((await get(1)).status).toBe(200)

    // A server that is stopped accepts connections, and does not answer.
    const resume = suspend(postgres.pid)
    const away = await get(2).finally(resume)
    expect([away.status, away.headers['retry-after']]).toEqual([503, '1'])
    expect(away.json()).toMatchObject({ type: expect.stringMatching(/#store_unavailable$/) })
    await becomes(2, 200)
    await ended(1)

    // The immediate shutdown ends all connections, with that of the lock of the node.
    process.kill(postgres.pid, 'SIGQUIT')
    // An unknown place is never in the cache, and a call for it is 404 until the database is gone.
    await becomes(5, 503)
    await postgres.restart()
    await becomes(3, 200)
    await ended(2)
    await expect.poll(() => isServed(postgres.url)).toBe(true)
    expect((await get(4)).status).toBe(200)
    const usage = async () => (await periplus(['usage', '--data', config.data, '--json'], { env })).json().units
    await expect.poll(usage).toBe(answered)
    // The lines are about the database; none has the stack of a call.
    expect(served.log()).not.toContain('"stack"')
  })

  test('ends when another node has taken its place while its connection was gone', async () => {
    const store = await useDatabase(await postgresTemplate())
    const config = configFor(useFolder(), { store })
    makeFolder(config)
    const running = await composeServer(config, { demo: false })
    onTestFinished(() => running.drain())
    const other = new pg.Client({ connectionString: store })
    await other.connect()
    onTestFinished(() => other.end())
    const taken = other.query('SELECT pg_advisory_lock($1)', [locks.serve])
    const ofHolder = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE granted AND objid = ${locks.serve % 2 ** 32}
      AND classid = ${Math.floor(locks.serve / 2 ** 32)}`
    await execute(store, ofHolder)
    await Promise.all([taken, running.endRequested])
  })

  test('is the only one without shared limits', async () => {
    const store = await useDatabase(await postgresTemplate())
    const config = configFor(useFolder(), { store, 'server.lockWaitMs': 0 })
    await importRows(config, 'location', [place(1)])
    const { secret } = await makeKey(config)
    const running = await composeServer(config, { demo: false })
    const url = new URL(await running.listen()).origin
    const other = configFor(useFolder(), { store, 'server.lockWaitMs': 0 })
    mkdirSync(other.data, { recursive: true })
    cpSync(join(config.data, 'pepper'), join(other.data, 'pepper'))
    makeFolder(other)
    await expect(composeServer(other, { demo: false })).rejects.toThrow('Another node serves this database.')
    expect((await send(url, '/locations/1', { headers: { 'X-API-Key': secret } })).status).toBe(200)
    await running.drain()
    // The second node works once the first one has ended, with the same keys and records.
    const next = await composeServer(other, { demo: false })
    const again = new URL(await next.listen()).origin
    expect((await send(again, '/locations/1', { headers: { 'X-API-Key': secret } })).status).toBe(200)
    await next.drain()
    const checked = await periplus(['verify', '--data', other.data], { env: { PERIPLUS_STORE: store } })
    expect([checked.code, checked.stdout]).toEqual([
      1,
      expect.stringMatching(/The journal of node .* is not reachable/),
    ])
  })
})

describeWith(['pg'], 'the folder of a node', () => {
  const prepare = async (data: string, store: string) => {
    const engine = openEngine(describeEngine(configFor(data, { store })), { create: true })
    await engine.prepare().finally(() => engine.close())
  }

  test('belongs to one database, and has its pepper', async () => {
    const template = await postgresTemplate()
    const [one, two] = [await useDatabase(template), await useDatabase(template)]
    const folder = useFolder()
    await prepare(folder, one)
    await prepare(folder, one)
    await expect(prepare(folder, two)).rejects.toThrow(/^The folder .* belongs to another database/)
    await expect(prepare(useFolder(), one)).rejects.toThrow(/^The file pepper in .* is not the one of Database/)
  })

  test('is not one with stores of its own, nor the reverse', async () => {
    const store = await useDatabase(await postgresTemplate())
    const [own, node] = [useFolder(), useFolder()]
    const ofFolder = (data: string) => configFor(data, { store: 'folder' })
    makeFolder(ofFolder(own))
    await expect(prepare(own, store)).rejects.toThrow(/^The folder .* has stores of its own/)
    await prepare(node, store)
    expect(() => makeFolder(ofFolder(node))).toThrow('Set the setting store to its URL.')
  })

  test('is no backup of the database: backup and restore refuse with a sentence', async () => {
    const store = await useDatabase(await postgresTemplate())
    const [node, backup] = [useFolder(), join(useFolder(), 'backup')]
    await prepare(node, store)
    const env = { PERIPLUS_STORE: store }
    const made = await periplus(['backup', backup, '--data', node], { env })
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining('Back it up with pg_dump')])
    const restored = await periplus(['restore', backup, '--data', join(node, 'other')], { env })
    expect([restored.code, restored.stderr]).toEqual([1, expect.stringContaining('Set store to folder to restore it.')])
  })
})
