/**
 * kill -9 of the serving process under load: what was answered is in the ledger, once, and the limits go on
 * where they were. `npm run soak` does it a thousand times: PERIPLUS_KILLS, PERIPLUS_SEED.
 */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { composeUsage } from '../src/compose/usage.ts'
import { openEnd } from '../src/domain/ledger.ts'
import { periplus, serve, start } from './cli.ts'
import { send } from './http-client.ts'
import { random } from './random.ts'
import { configFor, importRows, makeKey, scratch } from './world.ts'

const kills = Number(process.env.PERIPLUS_KILLS ?? 20)
const seed = Number(process.env.PERIPLUS_SEED ?? 20_261_121)
const connections = 8
const quota = 1_000_000_000
const places = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, name: `Place ${i + 1}`, lat: i, lon: i }))

const folder = scratch()
afterAll(folder.remove)
const config = configFor(folder.path)
const next = random(seed)
const below = (n: number) => Math.floor(n * next())

/** What the callers know. Units: all that were billed to them, and all that an unanswered call may have been. */
const known = { answers: 0, units: 0, unanswered: 0, unansweredUnits: 0 }

/** Calls one after the other on a connection of its own until the server is gone. */
async function lane(url: string, secret: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { 'X-API-Key': secret }
  for (;;) {
    const ids = Array.from({ length: 1 + below(12) }, () => 1 + below(places.length))
    const path = ids.length < 6 ? `/locations/${ids[0]}` : `/locations?ids=${ids.join(',')}`
    const units = ids.length < 6 ? 1 : new Set(ids).size
    const billed = await call(`${url}${path}`, headers, agent)
    if (billed === undefined) {
      known.unanswered++
      known.unansweredUnits += units
      agent.destroy()
      return
    }
    expect(billed).toBe(units)
    known.answers++
    known.units += billed
  }
}

/** The units of an answer that came whole; undefined when none did. */
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

/** Calls and units as `periplus usage` counts them: folded or not. */
async function ledger(): Promise<{ calls: number; units: number }> {
  const { usage, close } = composeUsage(config)
  try {
    const { rows } = await usage.report({ fromMs: 0, toMs: openEnd }, ['status'], 'UTC')
    const { calls, units } = rows.find(({ status }) => status === 200) ?? { calls: 0, units: 0 }
    return { calls, units }
  } finally {
    close()
  }
}

/** The daily window as the service tells it, to a call that is refused before it could change it (403). */
async function daily(url: string, secret: string): Promise<{ used: number; resetS: number | undefined }> {
  const { status, headers } = await send(url, '/feeds', { headers: { 'X-API-Key': secret } })
  expect(status).toBe(403)
  const [, left, reset] = /"daily";r=(\d+)(?:;t=(\d+))?$/.exec(String(headers.ratelimit))!
  return { used: quota - Number(left), resetS: reset === undefined ? undefined : Number(reset) }
}

/** A process that is killed before it listens. */
async function killedAtStart(): Promise<void> {
  const child = start(['serve', '--data', folder.path, '--port', '0'])
  child.stdout!.resume()
  child.stderr!.resume()
  await wait(50 + below(600))
  child.kill('SIGKILL')
  await once(child, 'close')
}

test(`nothing that was answered is lost, and nothing counted twice, at ${kills} random moments`, {
  timeout: 0,
}, async () => {
  await importRows(config, 'location', places)
  const { secret } = await makeKey(config, { agreement: { rate: 1_000_000, burst: 1_000_000, quota } })
  let windowEndsMs: number | undefined
  let atStart = 0
  for (let kill = 0; kill < kills; kill++) {
    if (below(8) === 0) {
      await killedAtStart()
      atStart++
      continue
    }
    const server = await serve(folder.path)
    // The limiter took up exactly what the ledger holds, in the window that was open.
    const before = await ledger()
    const { used, resetS } = await daily(server.url, secret)
    expect(used).toBe(before.units)
    expect(resetS === undefined).toBe(before.calls === 0)
    if (resetS !== undefined) {
      const endsMs = Date.now() + resetS * 1000
      windowEndsMs ??= endsMs
      expect(Math.abs(endsMs - windowEndsMs)).toBeLessThan(5000)
    }
    const lanes = Array.from({ length: connections }, () => lane(server.url, secret))
    await wait(30 + below(1200))
    await server.stop('SIGKILL')
    await Promise.all(lanes)
    const after = await ledger()
    expect(after.units).toBeGreaterThanOrEqual(known.units)
    expect(after.units).toBeLessThanOrEqual(known.units + known.unansweredUnits)
    expect(after.calls).toBeGreaterThanOrEqual(known.answers)
    expect(after.calls).toBeLessThanOrEqual(known.answers + known.unanswered)
  }
  const end = await serve(folder.path)
  const { units, calls } = await ledger()
  expect((await daily(end.url, secret)).used).toBe(units)
  expect(await end.stop()).toBe(0)
  const verified = await periplus(['verify', '--data', folder.path, '--json'])
  expect(verified.json()).toEqual({ ok: true, problems: [] })
  // The load was worth something: each kill found calls on their way.
  expect(known.answers).toBeGreaterThan((kills - atStart) * 20)
  expect(known.unanswered).toBe((kills - atStart) * connections)
  if (process.env.PERIPLUS_KILLS !== undefined) {
    console.log({ kills, atStart, ...known, ledger: { calls, units }, withoutAnswer: units - known.units })
  }
})
