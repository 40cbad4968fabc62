/** Tests of limits when the wall clock steps or a data folder is from the future: no early reset, no lockout. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { composeServer, type Service } from '../src/compose/server.ts'
import type { Config } from '../src/config/load.ts'
import type { Key } from '../src/domain/key.ts'
import { systemClock } from '../src/kit/clock.ts'
import { periplus } from './cli.ts'
import { send } from './http-client.ts'
import { configFor, importRows, makeKey, scratch } from './world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Both clocks of the process. Passing time advances both; a step moves the wall clock only. */
const clock = { wallMs: 0, monotonicMs: 0 }
const passTime = (ms: number) => {
  clock.wallMs += ms
  clock.monotonicMs += ms
}
const stepWallClock = (ms: number) => {
  clock.wallMs += ms
}

/** The machine of the tests that start it again; its time since the start is the monotonic clock without restarts. */
let machine: { id: number; bootMs: number } | undefined
const boot = () => ({ id: String(machine!.id), us: machine!.bootMs * 1000 })

let folder: ReturnType<typeof scratch>
let config: Config
let running: Service
let url: string
let secret: string

async function startWithKey(agreement: Key['agreement']): Promise<void> {
  await importRows(config, 'location', [{ id: 1, name: 'One', lat: 1, lon: 1 }])
  secret = (await makeKey(config, { agreement })).secret
  await startService()
}
async function startService(): Promise<void> {
  running = await composeServer(config, { demo: false, ...(machine && { clock: { ...systemClock, boot } }) })
  url = await running.listen()
}
/** Restarts the service, as a new process whose monotonic clock has another origin. */
async function restart(meanwhile: () => void): Promise<void> {
  await running.drain()
  meanwhile()
  clock.monotonicMs += 5_000_000_000
  await startService()
}

beforeEach(() => {
  machine = undefined
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
/** Returns the RateLimit header of a call that is refused before admission, which costs nothing. */
const rateLimit = async () => (await call('/feeds')).headers.ratelimit

describe.each([
  ['forward an hour', hourMs],
  ['back an hour', -hourMs],
])('the wall clock stepped %s (R-29)', (_, by) => {
  test('changes no limit while the service runs', async () => {
    await startWithKey({ rate: 1, burst: 2, quota: 3 })
    await call()
    const before = await rateLimit()
    expect(before).toBe('"rate";r=1;t=1, "daily";r=2;t=86400')
    stepWallClock(by)
    expect(await rateLimit()).toBe(before)
    // The step admits no additional call.
    expect([(await call()).status, (await call()).status]).toEqual([200, 429])
    passTime(dayMs - 1)
    expect(await rateLimit()).toBe('"rate";r=2, "daily";r=1;t=1')
    passTime(1)
    expect(await rateLimit()).toBe('"rate";r=2, "daily";r=3')
  })

  test('keeps the length of the window when the service restarts later', async () => {
    await startWithKey({ rate: 1, burst: 2, quota: 3 })
    await call()
    stepWallClock(by)
    passTime(10_000)
    await call()
    await restart(() => passTime(50_000))
    expect(await rateLimit()).toBe('"rate";r=2, "daily";r=1;t=86340')
    passTime(86_340_000 - 1)
    expect(await rateLimit()).toContain('"daily";r=1;t=1')
    passTime(1)
    expect(await rateLimit()).toContain('"daily";r=3')
  })

  test('between two runs admits at most one extra burst and no window longer than a day', async () => {
    await startWithKey({ rate: 1, burst: 2, quota: 10 })
    expect([(await call()).status, (await call()).status, (await call()).status]).toEqual([200, 200, 429])
    await restart(() => stepWallClock(by))
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await call()).status)
    expect(statuses.filter(status => status === 200).length).toBeLessThanOrEqual(2)
    const [, left, reset] = /"daily";r=(\d+);t=(\d+)/.exec(String(await rateLimit()))!
    expect(Number(left)).toBe(8 - statuses.filter(status => status === 200).length)
    expect(Number(reset)).toBeLessThanOrEqual(86_400)
    expect(Number(reset)).toBeGreaterThanOrEqual(86_400 - 3600)
  })
})

describe('a data folder from the future (R-29)', () => {
  test.each([2, 400])('%i days ahead: keys work, windows start now, and no wait exceeds a minute', async days => {
    stepWallClock(days * dayMs)
    await startWithKey({ rate: 1, burst: 2, quota: 4 })
    expect([(await call()).status, (await call()).status, (await call()).status]).toEqual([200, 200, 429])
    // Retry in a tight loop until the wait reaches its maximum.
    for (let i = 0; i < 16; i++) {
      passTime(600)
      await call()
    }
    const ahead = Number((await call()).headers['retry-after'])
    expect(ahead).toBeGreaterThan(50)
    await restart(() => stepWallClock(-days * dayMs))
    expect(await rateLimit()).toMatch(/"daily";r=2;t=86400$/)
    const refused = await call()
    const wait = Number(refused.headers['retry-after'])
    expect(refused.status).toBe(429)
    expect(wait).toBeLessThanOrEqual(60)
    passTime(wait * 1000)
    expect((await call()).status).toBe(200)
    expect((await call()).headers.ratelimit).toMatch(/"daily";r=0;/)
    const usage = await periplus(['usage', '--data', folder.path, '--json', '--by', 'status'])
    expect(usage.json()).toMatchObject({ units: 4 })
  })
})

describe('a restart under a wrong clock (R-29)', () => {
  /**
   * Stops the service, lets time pass, sets the wall clock, and starts the service, on a machine that may have started
   * again.
   */
  const restartAfter = (passMs: number, stepMs: number, isMachineStarted = false) =>
    restart(() => {
      passTime(passMs)
      stepWallClock(stepMs)
      machine = isMachineStarted
        ? { id: machine!.id + 1, bootMs: 60_000 }
        : { id: machine!.id, bootMs: machine!.bootMs + passMs }
    })
  const notes = async () => {
    const found = ((await send(url, '/readyz')).json() as { notes?: string[] }).notes ?? []
    return found.filter(note => note.startsWith('The clock of this machine'))
  }
  const useQuota = async () => {
    machine = { id: 1, bootMs: 1_000_000 }
    await startWithKey({ rate: 100, burst: 100, quota: 3 })
    for (const status of [200, 200, 200, 429]) expect((await call()).status).toBe(status)
  }
  const isRefused = async () => (await call()).status === 429

  test('days behind after a start of the machine: no fresh quota, then or after the correction', async () => {
    await useQuota()
    await restartAfter(10_000, -2 * dayMs, true)
    expect(await isRefused()).toBe(true)
    expect(await notes()).toEqual([
      expect.stringMatching(
        /^The clock of this machine shows 20.*, but calls have been counted up to 20.*Set the clock if it is wrong\.$/,
      ),
    ])
    await restartAfter(10_000, 2 * dayMs, true)
    expect([await isRefused(), await notes()]).toEqual([true, []])
    expect(Number(/"daily";r=0;t=(\d+)/.exec(String(await rateLimit()))?.[1])).toBeGreaterThan(86_300)
    passTime(dayMs)
    expect(await isRefused()).toBe(false)
    expect((await call()).headers.ratelimit).toContain('"daily";r=1;')
  })

  test('days ahead on the same machine: no fresh quota', async () => {
    await useQuota()
    await restartAfter(10_000, 2 * dayMs)
    expect(await rateLimit()).toContain('"daily";r=0;t=86390')
    passTime(dayMs)
    expect(await isRefused()).toBe(false)
  })

  test('a pause of days is a pause, and so is a clock ahead on a machine that was started again', async () => {
    await useQuota()
    await restartAfter(2 * dayMs, 0)
    for (const status of [200, 200, 200, 429]) expect((await call()).status).toBe(status)
    await restartAfter(10_000, 2 * dayMs, true)
    expect((await call()).status).toBe(200)
  })
})
