/**
 * Days of calls on a simulated clock, with restarts: every answer, every RateLimit header and the usage agree with the
 * model of the limits, across the ends of windows. `npm run soak` simulates 30 days: PERIPLUS_SIMULATED_HOURS,
 * PERIPLUS_SEED.
 */
import { expect, test } from 'vitest'
import { ModelLimits } from '../src/access/limits.model.ts'
import { composeServer, type Service } from '../src/compose/server.ts'
import type { Key } from '../src/domain/key.ts'
import { openEnd } from '../src/domain/ledger.ts'
import { createRandom } from '../src/kit/random.ts'
import { periplus } from './cli.ts'
import { openUsage } from './composed.ts'
import { send } from './http-client.ts'
import { createProgress } from './progress.ts'
import { configFor, importRows, makeKey, scratch } from './world.ts'

const hourMs = 3_600_000
const simulatedMs = Number(process.env.PERIPLUS_SIMULATED_HOURS ?? 48) * hourMs
/** Mean time between two calls, and between two restarts. */
const [meanWaitMs, meanRunMs] = [hourMs / 6, 24 * hourMs]

/** A clock that time passes on, in one run of a machine; each process has an origin of its own. */
function simulatedClock(startMs: number) {
  let nowMs = startMs
  let originMs = 0
  return {
    nowMs: () => nowMs,
    monotonicUs: () => (nowMs - originMs) * 1000,
    boot: () => ({ id: 'simulated', us: nowMs * 1000 }),
    pass: (ms: number) => {
      nowMs += ms
    },
    restart: () => {
      originMs = nowMs - 1000
    },
  }
}

/** The agreements of four keys; the last two share their limits. */
const agreements: readonly (NonNullable<Key['agreement']> & { readonly quota: number })[] = [
  { quota: 30 },
  { quota: 120 },
  { quota: 60, subject: 'partner' },
  { quota: 60, subject: 'partner' },
]
const fast = { rate: 1_000_000, burst: 1_000_000 }
/** Calls with the units that they are charged, and their status unless they are refused. */
const calls = [
  { path: '/locations/1', units: 1, status: 200 },
  { path: '/locations?ids=1,2,3,4,5', units: 5, status: 200 },
  { path: '/locations/1/reviews', units: 1, status: 200 },
  { path: '/locations/404', units: 0, status: 404 },
]

test('windows open, fill and end as the model says, whatever restarts', { timeout: 0 }, async () => {
  const folder = scratch()
  const config = configFor(folder.path)
  await importRows(
    config,
    'location',
    [1, 2, 3, 4, 5].map(id => ({ id, name: `Place ${id}`, lat: id, lon: id })),
  )
  const keys: { readonly secret: string; readonly id: string }[] = []
  for (const agreement of agreements) keys.push(await makeKey(config, { agreement: { ...fast, ...agreement } }))

  const next = createRandom(Number(process.env.PERIPLUS_SEED ?? 20_261_123))
  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const clock = simulatedClock(Date.now())
  const model = new ModelLimits()
  const progress = createProgress('simulated hours', simulatedMs / hourMs)
  const seen = { calls: 0, refused: 0, restarts: 0, windows: 0 }
  const units = keys.map(() => 0)
  let running: Service = await composeServer(config, { demo: false, clock })
  let origin = new URL(await running.listen()).origin
  let nowUs = clock.nowMs() * 1000
  let passedMs = 0
  while (passedMs < simulatedMs) {
    const waitMs = Math.floor(-Math.log(1 - next()) * meanWaitMs)
    passedMs += waitMs
    nowUs += waitMs * 1000
    clock.pass(waitMs)
    if (next() < waitMs / meanRunMs) {
      seen.restarts++
      await running.drain()
      clock.restart()
      running = await composeServer(config, { demo: false, clock })
      origin = new URL(await running.listen()).origin
    }
    const which = Math.floor(next() * keys.length)
    const { quota, subject = String(which) } = agreements[which]!
    const policies = [{ bucket: 'package', ...fast, quota }]
    const call = anyOf(calls)
    const before = model.left(subject, policies[0]!, nowUs).quota
    const admitted = model.admit(subject, policies, nowUs, 1).refused.length === 0
    const charged = admitted && model.charge(subject, policies, nowUs, call.units).length === 0
    const reply = await send(origin, call.path, { headers: { 'X-API-Key': keys[which]!.secret } })
    const left = model.left(subject, policies[0]!, nowUs).quota
    const found = {
      status: reply.status,
      billed: Number(reply.headers['x-billed-units']),
      left: Number(/"daily";r=(\d+)/.exec(String(reply.headers.ratelimit))![1]),
    }
    const billed = charged ? call.units : 0
    expect({ at: passedMs, ...found }).toEqual({ at: passedMs, status: charged ? call.status : 429, billed, left })
    seen.calls++
    if (!charged) seen.refused++
    if (before === quota && left < quota) seen.windows++
    units[which]! += billed
    progress(Math.floor(passedMs / hourMs))
  }
  await running.drain()

  const { usage, close } = openUsage(config)
  const { rows } = await usage.report({ fromMs: 0, toMs: openEnd }, ['key'], 'UTC')
  close()
  expect(rows.map(row => [row.key, row.units]).sort()).toEqual(keys.map(({ id }, i) => [id, units[i]]).sort())
  const verified = await periplus(['verify', '--data', folder.path, '--json'])
  expect(verified.json()).toEqual({ ok: true, problems: [] })
  expect(seen.windows).toBeGreaterThan(simulatedMs / hourMs / 24)
  expect(Math.min(seen.refused, seen.restarts)).toBeGreaterThan(0)
  if (process.env.PERIPLUS_PROGRESS !== undefined) console.log(seen)
  folder.remove()
})
