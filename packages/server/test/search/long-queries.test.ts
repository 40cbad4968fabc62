/** The bounded queue of long queries, over HTTP and in the searcher. */
import { get } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createBestKnown } from '../../src/http/site/best-known.ts'
import { createLandingPage, type LandingParts } from '../../src/http/site/landing.ts'
import type { SitePage } from '../../src/http/site/page.ts'
import type { PlacePages } from '../../src/http/site/places/parts.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { FairQueue } from '../../src/kit/fair-queue.ts'
import { Thread } from '../../src/kit/thread.ts'
import { buildSegment } from '../../src/search/index/build.ts'
import { singlePart } from '../../src/search/index/index-data.ts'
import { QueryThread } from '../../src/search/keep/query-thread.ts'
import { Searcher } from '../../src/search/keep/searcher.ts'
import { loadAssets } from '../../src/web/asset-files.ts'
import { eventually } from '../eventually.ts'
import { send } from '../http-client.ts'
import { searchRows } from '../search-rows.ts'
import { searchable } from '../searchable.ts'
import { makeKey, startWorld, type World } from '../world.ts'
import { caller, ids, place, randomPlaces } from './world.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Holds every request that threads receive for a ranking until `release` is called. */
function holdRankings() {
  const gate = Promise.withResolvers<void>()
  const { request } = Thread.prototype
  let held = 0
  vi.spyOn(Thread.prototype, 'request').mockImplementation(async function (this: Thread, task: unknown) {
    if (typeof task === 'object' && task !== null && 'candidates' in task) {
      held++
      await gate.promise
    }
    return request.call(this, task as never)
  })
  return { release: gate.resolve, held: () => held }
}

describe('a service whose thread cannot keep up', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ 'server.adminPort': 0 }, searchRows)
    await searchable(world)
  })
  afterAll(() => world.close())

  const path = '/recommendations/search?query=quiet%20museum&lat=40.41&lon=-3.69&radius=60'
  const newKey = async () => (await makeKey(world.config, { addOns: ['recommendations'] })).secret
  const recommend = (key: string) => send(world.url, path, { headers: { 'X-API-Key': key } }, true)
  const metric = async (name: string, label = '{thread="ranking"}') => {
    const { text } = await send(world.adminUrl!, '/metrics')
    const line = text.split('\n').find(one => one.startsWith(`${name}${label} `))
    return Number(line?.split(' ')[1])
  }
  const waiting = (count: number) => eventually(async () => expect(await metric('periplus_search_queue')).toBe(count))

  test('answers 503 with Retry-After beyond a share of 16 queries, charges nothing, and serves others', async () => {
    const { release, held } = holdRankings()
    const [busy, other] = [await newKey(), await newKey()]
    const accepted = Array.from({ length: 18 }, () => recommend(busy))
    await waiting(16)
    expect(held()).toBe(2)
    const refused = await recommend(busy)
    expect(refused.status).toBe(503)
    expect(refused.json()).toMatchObject({ type: expect.stringContaining('#search_unavailable') })
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'x-billed-units': '0' })
    expect(await metric('periplus_search_refused_total')).toBe(1)
    const admitted = recommend(other)
    await waiting(17)
    const short = await send(world.url, '/locations/search?query=museum', { headers: { 'X-API-Key': busy } })
    expect(short.status).toBe(200)
    release()
    const replies = await Promise.all([...accepted, admitted])
    expect(replies.map(({ status, headers }) => [status, headers['x-billed-units']])).toEqual(
      Array.from({ length: 19 }, () => [200, '1']),
    )
  })

  test('answers 503 to everyone beyond 64 queries, and forgets those whose clients have left', async () => {
    const { release } = holdRankings()
    const keys = await Promise.all(Array.from({ length: 6 }, newKey))
    const patient = Array.from({ length: 2 }, () => recommend(keys[0]!))
    const connections = Array.from({ length: 64 }, (_, i) => {
      const connection = get(world.url + path, { headers: { 'X-API-Key': keys[i % 5]! }, agent: false })
      connection.on('error', () => {})
      return connection
    })
    await waiting(64)
    expect((await recommend(keys[5]!)).status).toBe(503)
    for (const connection of connections) connection.destroy()
    await eventually(async () => expect(await metric('periplus_open_connections', '')).toBeLessThan(10))
    patient.push(recommend(keys[5]!))
    await waiting(1)
    release()
    expect((await Promise.all(patient)).map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

test('the searcher runs short queries at once while its queue is full, and refuses long ones', async () => {
  const data = await buildSegment([...randomPlaces(2000, 1), place(9000, 'Zanzibar')], { revision: 1, nowMs: 0 })
  const searcher = new Searcher(singlePart(data), {
    clock: systemClock,
    queue: new FairQueue({ running: 1, waiting: 1, waitingPerSubject: 1 }),
    inline: { steps: 1000, ms: Number.POSITIVE_INFINITY },
  })
  const gate = Promise.withResolvers<void>()
  const { ask } = QueryThread.prototype
  vi.spyOn(QueryThread.prototype, 'ask').mockImplementation(async function (this: QueryThread, task, view) {
    await gate.promise
    return ask.call(this, task, view)
  })
  const within = { box: { south: -90, west: -180, north: 90, east: 180 } }
  const long = () => searcher.nearby({ within, sort: 'rating', minRating: 2, offset: 0, limit: 3 }, caller)
  const accepted = [long(), long()]
  await expect(long()).rejects.toMatchObject({ retryMs: 1000 })
  expect(ids(await searcher.search({ text: 'zanzibar', offset: 0, limit: 20 }, caller))).toEqual([9000])
  gate.resolve()
  const [first, second] = await Promise.all(accepted)
  expect(first!.hits).toHaveLength(3)
  expect(second).toEqual(first)
  await searcher.close()
})

test('the landing page is the previous one while keys fill the queue, or 503 before the first one', async () => {
  const data = await buildSegment(randomPlaces(2000, 1), { revision: 1, nowMs: 0 })
  const queue = new FairQueue({ running: 1, waiting: 1, waitingPerSubject: 1 })
  const searcher = new Searcher(singlePart(data), {
    clock: systemClock,
    queue,
    inline: { steps: 10, ms: Number.POSITIVE_INFINITY },
  })
  const index = Object.assign(searcher, { notReady: () => undefined })
  const locations = { getMany: () => Promise.resolve([]) }
  const site = { name: 'Test', basePath: '', zone: 'UTC', has: {}, map: {}, assets: loadAssets() }
  const offer = { packages: {}, search: { rate: 5, burst: 5, quota: 'unlimited' } }
  let nowUs = 0
  const clock = { ...systemClock, monotonicUs: () => nowUs }
  const places = { index, locations, version: () => '1' }
  const settings = { site, publicUrl: 'http://localhost', basePath: '', demo: false }
  const request = {} as never
  const known = [places, places].map(one => createBestKnown(one as unknown as PlacePages, clock))
  const [page, other] = known.map(bestKnown =>
    createLandingPage({ bestKnown, places, offer, clock, settings } as unknown as LandingParts),
  ) as [SitePage, SitePage]
  const first = await page.get(request)
  expect(first).toHaveProperty('rendered')
  const gate = Promise.withResolvers<void>()
  const release = [queue.run(caller, () => gate.promise), queue.run(caller, () => gate.promise)]
  nowUs += 600_000_000
  expect(await page.get(request)).toBe(first)
  expect(await other.get(request)).toMatchObject({ response: { status: 503, headers: { 'Retry-After': '1' } } })
  // Pages with examples do not wait for it.
  expect(await known[1]!.exampleIds()).toEqual([])
  gate.resolve()
  await Promise.all(release)
  const next = await page.get(request)
  expect(next).toHaveProperty('rendered')
  expect(next).not.toBe(first)
  expect(await other.get(request)).toHaveProperty('rendered')
  await searcher.close()
})
