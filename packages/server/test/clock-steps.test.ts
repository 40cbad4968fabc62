/** The wall clock steps, and data folders come from the future: limits neither open early nor lock out. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { composeServer, type Running } from '../src/compose/server.ts'
import type { Config } from '../src/config/load.ts'
import type { Key } from '../src/domain/key.ts'
import { periplus } from './cli.ts'
import { send } from './http-client.ts'
import { configFor, importRows, makeKey, scratch } from './world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Both clocks of the process, moved at will: time that passes moves both, a step only the wall's. */
const clock = { wallMs: 0, monotonicMs: 0 }
const pass = (ms: number) => {
  clock.wallMs += ms
  clock.monotonicMs += ms
}
const step = (ms: number) => {
  clock.wallMs += ms
}

let folder: ReturnType<typeof scratch>
let config: Config
let running: Running
let url: string
let secret: string

async function begin(agreement: Key['agreement']): Promise<void> {
  await importRows(config, 'location', [{ id: 1, name: 'One', lat: 1, lon: 1 }])
  secret = (await makeKey(config, { agreement })).secret
  await listen()
}
async function listen(): Promise<void> {
  running = await composeServer(config, { demo: false })
  url = await running.listen()
}
/** The process ends and another one begins; its monotonic clock has an origin of its own. */
async function restart(meanwhile: () => void): Promise<void> {
  await running.drain()
  meanwhile()
  clock.monotonicMs += 5_000_000_000
  await listen()
}

beforeEach(() => {
  folder = scratch()
  config = configFor(folder.path)
  clock.wallMs = Date.now()
  clock.monotonicMs = Math.ceil(performance.now())
  vi.spyOn(Date, 'now').mockImplementation(() => clock.wallMs)
  vi.spyOn(performance, 'now').mockImplementation(() => clock.monotonicMs)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await running.drain()
  folder.remove()
})

const call = (path = '/locations/1') => send(url, path, { headers: { 'X-API-Key': secret } })
/** What is left, as a call tells that is refused before its admission. */
const limits = async () => (await call('/feeds')).headers.ratelimit

describe.each([
  ['forward an hour', hourMs],
  ['back an hour', -hourMs],
])('the wall clock stepped %s (R-29)', (_, by) => {
  test('while the service runs: nothing changes', async () => {
    await begin({ rate: 1, burst: 2, quota: 3 })
    await call()
    const before = await limits()
    expect(before).toBe('"rate";r=1;t=1, "daily";r=2;t=86400')
    step(by)
    expect(await limits()).toBe(before)
    // Not one more than without the step.
    expect([(await call()).status, (await call()).status]).toEqual([200, 429])
    pass(dayMs - 1)
    expect(await limits()).toBe('"rate";r=2, "daily";r=1;t=1')
    pass(1)
    expect(await limits()).toBe('"rate";r=2, "daily";r=3')
  })

  test('and started again later: the window is as long as it was', async () => {
    await begin({ rate: 1, burst: 2, quota: 3 })
    await call()
    step(by)
    pass(10_000)
    await call()
    await restart(() => pass(50_000))
    expect(await limits()).toBe('"rate";r=2, "daily";r=1;t=86340')
    pass(86_340_000 - 1)
    expect(await limits()).toContain('"daily";r=1;t=1')
    pass(1)
    expect(await limits()).toContain('"daily";r=3')
  })

  test('between two runs: at most one more burst, and no window is longer than a day', async () => {
    await begin({ rate: 1, burst: 2, quota: 10 })
    expect([(await call()).status, (await call()).status, (await call()).status]).toEqual([200, 200, 429])
    await restart(() => step(by))
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await call()).status)
    expect(statuses.filter(status => status === 200).length).toBeLessThanOrEqual(2)
    const [, left, reset] = /"daily";r=(\d+);t=(\d+)/.exec(String(await limits()))!
    expect(Number(left)).toBe(8 - statuses.filter(status => status === 200).length)
    expect(Number(reset)).toBeLessThanOrEqual(86_400)
    expect(Number(reset)).toBeGreaterThanOrEqual(86_400 - 3600)
  })
})

describe('a data folder from the future (R-29)', () => {
  test.each([2, 400])(
    '%i days ahead: keys are good, windows begin now, nobody waits longer than a minute',
    async days => {
      step(days * dayMs)
      await begin({ rate: 1, burst: 2, quota: 4 })
      expect([(await call()).status, (await call()).status, (await call()).status]).toEqual([200, 200, 429])
      // A tight loop, up to the longest wait there is.
      for (let i = 0; i < 16; i++) {
        pass(600)
        await call()
      }
      const ahead = Number((await call()).headers['retry-after'])
      expect(ahead).toBeGreaterThan(50)
      await restart(() => step(-days * dayMs))
      expect(await limits()).toMatch(/"daily";r=2;t=86400$/)
      const refused = await call()
      const wait = Number(refused.headers['retry-after'])
      expect(refused.status).toBe(429)
      expect(wait).toBeLessThanOrEqual(60)
      pass(wait * 1000)
      expect((await call()).status).toBe(200)
      expect((await call()).headers.ratelimit).toMatch(/"daily";r=0;/)
      const usage = await periplus(['usage', '--data', folder.path, '--json', '--by', 'status'])
      expect(usage.json()).toMatchObject({ units: 4 })
    },
  )
})
