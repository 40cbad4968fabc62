import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeEngine } from '../../src/compose/engine.ts'
import { composeServer } from '../../src/compose/server.ts'
import { openEngine } from '../../src/store/engine.ts'
import { periplus } from '../cli.ts'
import { describeWith, startPostgres, useDatabase } from '../engines.ts'
import { send } from '../http-client.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { configFor, importRows, makeFolder, makeKey, scratch, startWorld } from '../world.ts'

const place = (id: number) => ({ id: BigInt(id), name: `Place ${id}`, latitude: 1, longitude: 1, country: 'ES' })

const useFolder = (): string => {
  const folder = scratch()
  onTestFinished(folder.remove)
  return folder.path
}

describeWith(['pg'], 'a service on a database (R-122)', () => {
  test('answers 503 without its database, works again after it, and counts every call once', async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.stop)
    const world = await startWorld({ store: postgres.url }, [place(1), place(2), place(3)])
    onTestFinished(world.close)
    expect((await world.get('/locations/1')).status).toBe(200)
    // The immediate shutdown ends all connections.
    process.kill(postgres.pid, 'SIGQUIT')
    await expect.poll(async () => (await world.get('/locations/4')).status).toBe(503)
    const away = await world.get('/locations/2')
    expect([away.status, away.headers['retry-after']]).toEqual([503, '1'])
    expect(away.json()).toMatchObject({ type: expect.stringMatching(/#store_unavailable$/) })
    await postgres.restart()
    await expect.poll(async () => (await world.get('/locations/2')).status).toBe(200)
    expect((await world.get('/locations/3')).status).toBe(200)
    const usage = async () => {
      const { stdout } = await periplus(['usage', '--data', world.config.data, '--json'], {
        env: { PERIPLUS_STORE: postgres.url },
      })
      return (JSON.parse(stdout) as { units: number }).units
    }
    // Each place was answered once with content.
    await expect.poll(usage).toBe(3)
  })

  test('is the only one, because nodes do not share limits yet', async () => {
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
      expect.stringMatching(/The journal of node .* is not in this folder/),
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
