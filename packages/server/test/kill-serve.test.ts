/**
 * kill -9 of the serving process at 15 steps, of its start and under load: the ledger has each answered request exactly
 * once, and the limits continue. `npm run soak` adds a thousand kills at random steps: PERIPLUS_KILLS,
 * PERIPLUS_SEED.
 */
import { Agent, get } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import type { Config } from '../src/config/load.ts'
import { openEnd } from '../src/domain/ledger.ts'
import { createRandom } from '../src/kit/random.ts'
import { periplus, serve } from './cli.ts'
import { openUsage } from './composed.ts'
import { send } from './http-client.ts'
import { killedAt, serveUntil } from './kills.ts'
import { createProgress } from './progress.ts'
import { configFor, importRows, makeKey, scratch } from './world.ts'

const soakKills = Number(process.env.PERIPLUS_KILLS ?? 0)
const seed = Number(process.env.PERIPLUS_SEED ?? 20_261_121)
const connections = 8
const quota = 1_000_000_000
const agreement = { rate: 1_000_000, burst: 1_000_000, quota }
const places = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, name: `Place ${i + 1}`, lat: i, lon: i }))

const folder = scratch()
afterAll(folder.remove)
const config = configFor(folder.path)
const next = createRandom(seed)
const randomBelow = (n: number) => Math.floor(n * next())

/**
 * Counts of clients: answers and their billed units, and the requests without an answer with the units that these may
 * cost.
 */
const noCounts = () => ({ answers: 0, units: 0, unanswered: 0, unansweredUnits: 0 })

/** Sends at most `count` requests sequentially on its own connection, until one has no answer. */
async function sendRequests(
  url: string,
  secret: string,
  known: ReturnType<typeof noCounts>,
  count: number,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { 'X-API-Key': secret }
  for (let sent = 0; sent < count; sent++) {
    const ids = Array.from({ length: 1 + randomBelow(12) }, () => 1 + randomBelow(places.length))
    const path = ids.length < 6 ? `/locations/${ids[0]}` : `/locations?ids=${ids.join(',')}`
    const units = ids.length < 6 ? 1 : new Set(ids).size
    known.unanswered++
    known.unansweredUnits += units
    const billed = await call(`${url}${path}`, headers, agent)
    if (billed === undefined) break
    expect(billed).toBe(units)
    known.unanswered--
    known.unansweredUnits -= units
    known.answers++
    known.units += billed
  }
  agent.destroy()
}

/** Returns the billed units of a complete answer; undefined without one. */
function call(url: string, headers: Record<string, string>, agent: Agent): Promise<number | undefined> {
  return new Promise(resolve => {
    const out = get(url, { headers, agent }, answer => {
      answer.resume()
      answer.on('error', () => resolve(undefined))
      answer.on('end', () => resolve(answer.statusCode === 200 ? Number(answer.headers['x-billed-units']) : Number.NaN))
    })
    out.on('error', () => resolve(undefined))
  })
}

/** Returns the calls and units that `periplus usage` counts, folded or not. */
async function readLedger(of: Config): Promise<{ calls: number; units: number }> {
  const { usage, close } = openUsage(of)
  try {
    const { rows } = await usage.report({ fromMs: 0, toMs: openEnd }, ['status'], 'UTC')
    const { calls, units } = rows.find(({ status }) => status === 200) ?? { calls: 0, units: 0 }
    return { calls, units }
  } finally {
    close()
  }
}

/** Returns the service's daily window, read with a request that is refused with 403 and so does not change it. */
async function readDailyWindow(url: string, secret: string): Promise<{ used: number; resetS: number | undefined }> {
  const { status, headers } = await send(url, '/feeds', { headers: { 'X-API-Key': secret } })
  expect(status).toBe(403)
  const [, left, reset] = /"daily";r=(\d+)(?:;t=(\d+))?$/.exec(String(headers.ratelimit))!
  return { used: quota - Number(left), resetS: reset === undefined ? undefined : Number(reset) }
}

/** Checks that a ledger has every answered request, and nothing but answered and unanswered ones. */
function expectCounted(ledger: { calls: number; units: number }, known: ReturnType<typeof noCounts>): void {
  expect(ledger.units).toBeGreaterThanOrEqual(known.units)
  expect(ledger.units).toBeLessThanOrEqual(known.units + known.unansweredUnits)
  expect(ledger.calls).toBeGreaterThanOrEqual(known.answers)
  expect(ledger.calls).toBeLessThanOrEqual(known.answers + known.unanswered)
}

async function expectVerified(data: string): Promise<void> {
  const verified = await periplus(['verify', '--data', data, '--json'])
  expect(verified.json()).toEqual({ ok: true, problems: [] })
}

/** Steps of a start before which the service is killed. */
const startSteps = ['mkdir journal', 'commit control.sqlite', 'rename public-url']
/** Steps under load; those of the journal are after the write of the request that reads the window. */
const loadSteps = [
  ...[200, 2, 3, 5, 9, 17, 33, 100].map(write => `write journal#${write}`),
  ...Array.from({ length: 3 }, () => 'commit control.sqlite in a thread'),
  'commit control.sqlite in a thread#2',
  ...Array.from({ length: soakKills }, () => `write journal#${2 + randomBelow(2000)}`),
]
const isInThread = (step: string): boolean => step.includes('in a thread')
/** Requests that each connection sends at most: the first commit of a thread needs no more than one. */
const countOf = (step: string): number => (step.endsWith('in a thread') ? 10 : Number.POSITIVE_INFINITY)

/** Possible range of the end of the window according to the answers so far, in milliseconds since 1970. */
const windowEnd = { earliest: 0, latest: Number.POSITIVE_INFINITY }
/** Maximum shift of a window by a restart, in milliseconds. */
const toleranceMs = 1000

/** Checks that the end of the window stays where earlier answers said it is. */
function narrowWindowEnd(sentMs: number, resetS: number | undefined): void {
  if (resetS === undefined) return
  windowEnd.earliest = Math.max(windowEnd.earliest, sentMs + (resetS - 1) * 1000)
  windowEnd.latest = Math.min(windowEnd.latest, Date.now() + resetS * 1000)
  expect(windowEnd.earliest).toBeLessThanOrEqual(windowEnd.latest + toleranceMs)
}

test('kill -9 loses no answered request and counts none twice', { timeout: 0 }, async () => {
  await importRows(config, 'location', places)
  const { secret } = await makeKey(config, { agreement })
  const known = noCounts()
  const progress = createProgress('kills', loadSteps.length)
  for (const [i, step] of loadSteps.entries()) {
    if (i < startSteps.length) await killedAt(startSteps[i]!, ['serve', '--data', folder.path, '--port', '0'])
    const server = await serveUntil(step, folder.path)
    // The limiter continues with exactly the units in the ledger, in the open window.
    const before = await readLedger(config)
    const sentMs = Date.now()
    const window = await readDailyWindow(server.url, secret).catch(failure => {
      // On a busy machine a thread may commit the record of this request before it is answered.
      if (!isInThread(step)) throw failure
    })
    if (window) {
      expect(window.used).toBe(before.units)
      expect(window.resetS === undefined).toBe(before.calls === 0)
      narrowWindowEnd(sentMs, window.resetS)
    }
    await Promise.all(Array.from({ length: connections }, () => sendRequests(server.url, secret, known, countOf(step))))
    expect(await server.ended).toEqual([null, 'SIGKILL'])
    expectCounted(await readLedger(config), known)
    if (i % 10 === 0) await expectVerified(folder.path)
    progress(i + 1)
  }
  const end = await serve(folder.path)
  const { units, calls } = await readLedger(config)
  expect((await readDailyWindow(end.url, secret)).used).toBe(units)
  expect(await end.stop()).toBe(0)
  await expectVerified(folder.path)
  if (soakKills > 0) console.log({ ...known, ledger: { calls, units }, withoutAnswer: units - known.units })
})
