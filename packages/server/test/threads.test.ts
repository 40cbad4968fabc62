import type { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServiceThreads } from '../src/compose/service-threads.ts'
import { threadEntry } from '../src/kit/thread-entry.ts'
import { eventually } from './eventually.ts'
import { send } from './http-client.ts'
import { searchRows } from './search-rows.ts'
import { searchable } from './searchable.ts'
import { makeKey, startWorld, type World } from './world.ts'

/** Threads that this process has started, newest last. An ended worker loses its name, so the name is stored. */
const workers: { readonly name: string | null; readonly worker: Worker }[] = []
const remember = (worker: Worker) => workers.push({ name: worker.threadName, worker })
process.on('worker', remember)

let world: World
let recommendationKey: string
beforeAll(async () => {
  world = await startWorld({ 'server.adminPort': 0 }, searchRows)
  recommendationKey = (await makeKey(world.config, { addOns: ['recommendations'] })).secret
  await searchable(world)
})
afterAll(async () => {
  process.off('worker', remember)
  await world.close()
})

const newest = (name: string) => workers.findLast(started => started.name === name)?.worker
const metric = async (name: string): Promise<number> => {
  const { text } = await send(world.adminUrl!, '/metrics')
  return Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? Number.NaN,
  )
}
/** Asks for recommendations around a place that the index has, so that the ranking thread is needed. */
const recommend = () =>
  world.get('/recommendations/search?query=quiet%20museum&lat=40.41&lon=-3.69&radius=60', { key: recommendationKey })
const notes = async () => (await send(world.adminUrl!, '/readyz')).json() as { status: string; notes?: string[] }

describe('a thread of the service that dies', () => {
  test('the ledger thread restarts and folds what was journalled meanwhile', async () => {
    expect(await notes()).toEqual({ status: 'ready' })
    expect(await metric('periplus_thread_up{thread="ledger"}')).toBe(1)
    const first = newest('ledger')!
    await first.terminate()
    await world.get('/locations/search?query=a')
    await expect.poll(() => newest('ledger') !== first).toBe(true)
    await expect.poll(() => metric('periplus_journal_lag_records')).toBe(0)
    expect(await metric('periplus_thread_restarts_total{thread="ledger"}')).toBe(1)
    expect(await metric('periplus_thread_up{thread="ledger"}')).toBe(1)
    expect(await notes()).toEqual({
      status: 'ready',
      notes: ['The ledger thread has ended unexpectedly once. It has been restarted; the log has the reason.'],
    })
    await newest('ledger')!.terminate()
    await expect.poll(() => metric('periplus_thread_restarts_total{thread="ledger"}')).toBe(2)
  })

  test('the search and ranking threads restart with the next request that needs them', async () => {
    await expect.poll(async () => (await recommend()).status).toBe(200)
    await expect.poll(() => newest('search') !== undefined).toBe(true)
    const first = newest('ranking')!
    for (const name of ['search', 'ranking']) await newest(name)!.terminate()
    expect((await recommend()).status).toBe(200)
    expect(newest('ranking')).not.toBe(first)
    expect((await world.get('/locations/search?query=a')).status).toBe(200)
  })

  test('while a thread waits for its restart, requests that need it answer 503 with Retry-After', async () => {
    const terminate = (worker: Worker) => {
      if (worker.threadName === 'ranking') void worker.terminate()
    }
    process.on('worker', terminate)
    await newest('ranking')!.terminate()
    const reply = await eventually(async () => {
      const reply = await recommend()
      expect([reply.status, reply.headers['x-billed-units']]).toEqual([503, '0'])
      return reply
    })
    process.off('worker', terminate)
    expect(reply.json()).toMatchObject({ type: expect.stringContaining('#search_unavailable') })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect((await world.get('/locations/search?query=a')).status).toBe(200)
    await expect.poll(async () => (await recommend()).status).toBe(200)
  })

  test('is logged with the reason', async () => {
    const lines: string[] = []
    const threads = createServiceThreads(pino({ base: null, timestamp: false }, { write: line => lines.push(line) }))
    const entry = threadEntry('../src/kit/thread.fixture', import.meta.url)
    const thread = threads.create({ name: 'ledger', entry, data: 'throw', running: 'always' })
    await expect.poll(() => lines.length).toBeGreaterThan(1)
    await thread.stop()
    expect(lines.slice(0, 2).map(line => JSON.parse(line))).toMatchObject([
      { level: 50, failures: 1, msg: 'The ledger thread ended unexpectedly; it can restart in 0 s.' },
      { level: 50, failures: 2, msg: 'The ledger thread ended unexpectedly; it can restart in 1 s.' },
    ])
    expect(lines[0]).toContain('cannot open the store')
  })

  test('does not prevent the service from stopping and restarting', async () => {
    await Promise.all(workers.map(({ worker }) => worker.terminate()))
    await world.restart()
    await searchable(world)
  })
})
