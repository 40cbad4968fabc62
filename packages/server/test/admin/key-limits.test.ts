/** `periplus keys limits` and `keys forgive`, next to a running service and without one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { type AdminClient, adminClient, createToken } from '../management/admin-client.ts'
import { makeKey, startWorld, type World } from '../world.ts'

interface Bucket {
  readonly calls_left: number
  readonly units_left: number
  readonly penalty?: { readonly strikes: number }
}
type Limits = Record<'package' | 'search', Bucket>

let world: World
let admin: AdminClient
const command = (...args: readonly string[]) => periplus(['keys', ...args, '--data', world.config.data])
const limitsOf = async (id: string) => (await command('limits', id, '--json')).json<Limits>()
const liveLimitsOf = async (id: string) => (await admin.get(`/keys/${id}/limits`)).body as unknown as Limits

beforeAll(async () => {
  // Without a grace period, the first early retry is a strike.
  world = await startWorld({ 'limits.penaltyGraceMs': 0 })
  admin = adminClient(world, await createToken(world))
})
afterAll(() => world.close())

/** Creates a key of one call an hour, and calls with it until it has a strike. */
async function makeStruckKey(): Promise<string> {
  const { id, secret } = await makeKey(world.config, {
    packageName: 'innovate',
    agreement: { rate: 0.001, burst: 2, quota: 50 },
  })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await world.get('/locations/1', { key: secret })).status)
  expect(statuses).toEqual([200, 200, 429, 429])
  return id
}

test('limits are those of the running service, calls of this moment included', async () => {
  const id = await makeStruckKey()
  const [stored, live] = [await limitsOf(id), await liveLimitsOf(id)]
  expect(stored.package).toMatchObject({ calls_left: 0, units_left: 48, penalty: { strikes: 1 } })
  const counts = ({ package: own, search }: Limits) =>
    [own, search].map(({ calls_left, units_left, penalty }) => ({ calls_left, units_left, strikes: penalty?.strikes }))
  expect(counts(stored)).toEqual(counts(live))
  const { stdout } = await command('limits', id)
  expect(stdout).toMatch(/package +0 +48 +20\S+Z +20\S+Z +1, until 20/)
})

test('a running service follows a forgiven penalty', async () => {
  const id = await makeStruckKey()
  const { stdout } = await command('forgive', id)
  expect(stdout).toContain(`The penalty of key ${id} is forgiven.`)
  await eventually(async () => {
    const live = await liveLimitsOf(id)
    expect([live.package.units_left, live.package.penalty]).toEqual([48, undefined])
  })
  expect(await limitsOf(id)).not.toHaveProperty('package.penalty')
  const { body } = await admin.get(`/audit?target=${id}&action=key.forgive`)
  expect(body.data).toMatchObject([{ via: 'cli', before: { strikes: 1 }, after: { strikes: 0 } }])
  expect((await command('forgive', id)).stdout).toContain(`Key ${id} has no penalty.`)
})

test('without a service, a penalty is forgiven at the next start, and only that one', async () => {
  const [id, other] = [await makeStruckKey(), await makeStruckKey()]
  await world.restart(async () => {
    expect(await limitsOf(id)).toHaveProperty('package.penalty')
    await command('forgive', id)
    expect(await limitsOf(id)).not.toHaveProperty('package.penalty')
  })
  expect(await liveLimitsOf(id)).toMatchObject({ package: { units_left: 48 } })
  expect(await liveLimitsOf(id)).not.toHaveProperty('package.penalty')
  expect(await liveLimitsOf(other)).toHaveProperty('package.penalty')
})

test.each(['limits', 'forgive'])('%s of an unknown key is refused', async name => {
  const { code, stderr } = await command(name, 'key_x')
  expect([code, stderr]).toEqual([1, expect.stringContaining('key_x does not exist')])
})
