/** Events that no change causes, from their cause to the receiver: a penalty, and dates of keys and versions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { createTestKey } from '../../src/domain/key.fixture.ts'
import { periplus } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { record } from '../record.ts'
import { makeKey, startWorld, type World } from '../world.ts'

const dayMs = 86_400_000
const configured = (ms: number) => iso(ms).replace('.000Z', 'Z')
const iso = (ms: number) => new Date(ms).toISOString()
// The configuration takes whole seconds.
const nowMs = Math.floor(Date.now() / 1000) * 1000
const [deprecatedMs, sunsetMs] = [nowMs - dayMs, nowMs + 29.5 * dayMs]
const versions = {
  '1': { deprecated: configured(deprecatedMs), sunset: configured(sunsetMs) },
  '2': { status: 'stable' },
}

let world: World
let receiver: Receiver
beforeAll(async () => {
  world = await startWorld({ 'webhooks.allowPrivate': true, 'limits.penaltyGraceMs': 0, versions }, 'empty')
  receiver = await startReceiver()
  await webhooks('add', receiver.url, '--partner', 'tester', '--type', ...types)
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

const types = ['limit.penalty_started', 'key.expiring', 'version.deprecated', 'version.sunset_near']
const webhooks = async (...args: string[]) => {
  const env = { PERIPLUS_WEBHOOKS_ALLOW_PRIVATE: 'true' }
  const result = await periplus(['webhooks', ...args, '--data', world.config.data], { env })
  expect(result.stderr).toBe('')
}
const dataOf = (type: string) =>
  receiver.received.filter(({ event }) => event.type === type).map(({ event }) => event.data)

test('a strike is an event once, however many calls follow', async () => {
  const { id, secret } = await makeKey(world.config, { agreement: { rate: 0.001, burst: 1 } })
  const call = async () => (await world.get('/locations/1', { key: secret })).status
  expect([await call(), await call()]).toEqual([404, 429])
  await call()
  const started = await eventually(() => {
    expect(dataOf('limit.penalty_started')).toHaveLength(1)
    return dataOf('limit.penalty_started')[0]!
  })
  expect(started).toMatchObject({ partner_id: 'tester', key_id: id })
  await call()
  // The penalty of another key shows that the later call was folded as well.
  const other = await makeKey(world.config, { agreement: { rate: 0.001, burst: 1 } })
  for (let i = 0; i < 3; i++) await world.get('/locations/1', { key: other.secret })
  await eventually(() => expect(dataOf('limit.penalty_started').map(data => data.key_id)).toEqual([id, other.id]))
})

test('the end of a key and the dates of a version that it is pinned to are events, once each', async () => {
  const engine = openConfiguredEngine(world.config, { create: false })
  const expiring = createTestKey({
    id: 'key_old',
    partnerId: 'tester',
    packageName: 'growth',
    createdMs: nowMs - 60 * dayMs,
    expiresMs: nowMs + 6.5 * dayMs,
  })
  await engine.keys.createKey(expiring, { digest: Buffer.alloc(32, 7) }, record())
  await engine.close()
  await eventually(() => expect(dataOf('key.expiring')).toHaveLength(1))
  expect(dataOf('key.expiring')).toMatchObject([
    { partner_id: 'tester', key_id: 'key_old', what: 'key', ends_at: iso(nowMs + 6.5 * dayMs), days_left: 7 },
  ])
  await eventually(() => expect(dataOf('version.sunset_near')).toHaveLength(1))
  const dates = { version: '1', deprecated_at: iso(deprecatedMs), sunset_at: iso(sunsetMs), successor: '2' }
  expect(dataOf('version.sunset_near')).toMatchObject([{ ...dates, partner_id: 'tester', days_left: 30 }])
  expect(dataOf('version.deprecated')).toMatchObject([{ ...dates, partner_id: 'tester' }])
  // Any change of a key is followed by another look at all dates.
  const { id } = await makeKey(world.config)
  await webhooks('add', `${receiver.url}/other`, '--partner', 'tester', '--key', id, '--type', 'key.rotated')
  // A shorter overlap than any notice: the end of the earlier secret is no event.
  await periplus(['keys', 'rotate', id, '--overlap', '1h', '--data', world.config.data])
  await eventually(() => expect(dataOf('key.rotated')).toHaveLength(1))
  for (const type of ['key.expiring', 'version.sunset_near', 'version.deprecated']) {
    // A delivery that takes too long is repeated, with the id of its event.
    const ids = receiver.received.filter(({ event }) => event.type === type).map(({ event }) => event.id)
    expect([type, new Set(ids).size]).toEqual([type, 1])
  }
})
