/**
 * Places, reviews, imports, webhooks, tokens and users through the command and through the admin API: the same rows,
 * the same refusals, and lines of the audit that differ in actor and interface alone.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { periplus } from '../cli.ts'
import { send } from '../http-client.ts'
import { importRows, ndjson, scratch, startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, type Body, createToken } from './admin-client.ts'
import { createSides, type Ids, type Sides, type Step } from './sides.ts'

const place = (ids: Ids, rest = '') => `/locations/${ids.place}${rest}`
const webhook = (ids: Ids, rest = '') => `/webhooks/${ids.webhook}${rest}`
const reason = 'Checked by phone.'
const because = ['--reason', reason]
const types = ['key.created', 'key.rotated']

const steps: readonly Step[] = [
  {
    name: 'override a field of a place',
    cli: ids => ['locations', 'override', ids.place!, 'names', 'New name', ...because],
    api: ids => ['PUT', place(ids, '/overrides/names'), { value: 'New name', reason }],
    of: ids => place(ids, '/overrides/names'),
  },
  {
    name: 'override a field with a wrong value',
    cli: ids => ['locations', 'override', ids.place!, 'coordinates', '91,0', ...because],
    api: ids => ['PUT', place(ids, '/overrides/coordinates'), { value: '91,0', reason }],
    of: ids => place(ids, '/overrides/coordinates'),
    refused: 400,
    exit: 2,
  },
  {
    name: 'override a field that does not exist',
    cli: ids => ['locations', 'override', ids.place!, 'rating', '5', ...because],
    api: ids => ['PUT', place(ids, '/overrides/rating'), { value: 5, reason }],
    of: ids => place(ids, '/overrides/names'),
    refused: 404,
    exit: 2,
  },
  {
    name: 'lift an override',
    cli: ids => ['locations', 'lift', ids.place!, 'names', ...because],
    api: ids => ['DELETE', `${place(ids, '/overrides/names')}?reason=${encodeURIComponent(reason)}`],
    of: ids => place(ids, '/overrides/names'),
  },
  {
    name: 'merge a place',
    cli: ids => ['locations', 'merge', ids.place!, ids.survivor!, ...because],
    api: ids => ['POST', place(ids, '/merge'), { into: ids.survivor, reason }],
  },
  {
    name: 'merge a place into itself',
    cli: ids => ['locations', 'merge', ids.survivor!, ids.survivor!, ...because],
    api: ids => ['POST', `/locations/${ids.survivor}/merge`, { into: ids.survivor, reason }],
    refused: 409,
  },
  {
    name: 'hide a review',
    cli: ids => ['reviews', 'hide', ids.review!],
    api: ids => ['POST', `/reviews/${ids.review}/hide`],
  },
  {
    name: 'show a review',
    cli: ids => ['reviews', 'show', ids.review!],
    api: ids => ['POST', `/reviews/${ids.review}/show`],
  },
  {
    name: 'erase a review',
    cli: ids => ['reviews', 'erase', ids.review!],
    api: ids => ['POST', `/reviews/${ids.review}/erase`],
  },
  {
    name: 'show an erased review',
    cli: ids => ['reviews', 'show', ids.review!],
    api: ids => ['POST', `/reviews/${ids.review}/show`],
    refused: 409,
  },
  {
    name: 'erase the reviews of a user',
    cli: ids => ['erase', '--user', `s:${ids.user}`],
    api: ids => ['POST', `/reviewers/s/${ids.user}/erase`],
  },
  {
    name: 'add a webhook',
    cli: () => ['webhooks', 'add', 'https://hooks.example.org/a', '--partner', 'tester', '--type', ...types],
    api: () => ['POST', '/webhooks', { url: 'https://hooks.example.org/a', types, partner_id: 'tester' }],
    saves: 'webhook',
  },
  {
    name: 'add a webhook of a type that does not exist',
    cli: () => ['webhooks', 'add', 'https://hooks.example.org/a', '--type', 'key.eaten'],
    api: () => ['POST', '/webhooks', { url: 'https://hooks.example.org/a', types: ['key.eaten'] }],
    refused: 400,
    exit: 2,
  },
  {
    name: 'add a webhook of an unknown partner',
    cli: () => ['webhooks', 'add', 'https://hooks.example.org/a', '--partner', 'nobody', '--type', 'key.created'],
    api: () => ['POST', '/webhooks', { url: 'https://hooks.example.org/a', types, partner_id: 'nobody' }],
    refused: 404,
  },
  {
    name: 'change a webhook',
    cli: ids => ['webhooks', 'set', ids.webhook!, '--url', 'https://hooks.example.org/b', '--type', 'key.disabled'],
    api: ids => ['PATCH', webhook(ids), { url: 'https://hooks.example.org/b', types: ['key.disabled'] }],
    of: webhook,
  },
  {
    name: 'pause a webhook',
    cli: ids => ['webhooks', 'set', ids.webhook!, '--state', 'paused'],
    api: ids => ['PATCH', webhook(ids), { state: 'paused' }],
    of: webhook,
  },
  {
    name: 'rotate the secret of a webhook',
    cli: ids => ['webhooks', 'rotate', ids.webhook!],
    api: ids => ['POST', webhook(ids, '/secret')],
    of: webhook,
  },
  {
    name: 'remove a webhook',
    cli: ids => ['webhooks', 'remove', ids.webhook!],
    api: ids => ['DELETE', webhook(ids)],
    of: webhook,
  },
  {
    name: 'test a removed webhook',
    cli: ids => ['webhooks', 'test', ids.webhook!],
    api: ids => ['POST', webhook(ids, '/test')],
    refused: 404,
  },
]

const locations = [700_000_000_011, 700_000_000_012, 800_000_000_011, 800_000_000_012]
const reviews = [700_000_000_021, 700_000_000_022, 800_000_000_021, 800_000_000_022]
const start = {
  cli: {
    place: '700000000011',
    survivor: '700000000012',
    review: '700000000021',
    other: '700000000022',
    user: 'ann-c',
  },
  api: {
    place: '800000000011',
    survivor: '800000000012',
    review: '800000000021',
    other: '800000000022',
    user: 'ann-a',
  },
}
const folder = scratch()
let world: World
let token: string
let admin: AdminClient
let sides: Sides
beforeAll(async () => {
  world = await startWorld({}, 'empty')
  const { config } = world
  const row = (id: number, more: object) => ({ id, source: 's', source_id: `n${id}`, ...more })
  await importRows(
    config,
    'location',
    locations.map(id => row(id, { name: 'Place', lat: 1, lon: 2 })),
  )
  await importRows(
    config,
    'review',
    reviews.map((id, i) =>
      row(id, { location_id: locations[i], rating: 4, text: 'Fine.', user_id: i < 2 ? 'ann-c' : 'ann-a' }),
    ),
  )
  token = await createToken(world)
  admin = adminClient(world, [token, await createToken(world), await createToken(world)])
  sides = createSides(world, admin, { ids: start })
})
afterAll(async () => {
  await world.close()
  folder.remove()
})

const command = (...args: readonly string[]) => periplus([...args, '--json', '--data', world.config.data])

/**
 * Expects the same rows of both interfaces. The API starts imports that a job process runs, and records the start as
 * well.
 */
async function expectSameRows(): Promise<void> {
  const { cli, api } = await sides.rows()
  const audit = api.audit!.filter(line => !line.includes('"import.start"'))
  expect({ ...api, audit }).toEqual(cli)
}

test.each(steps.map(step => [step.name, step] as const))('%s', async (_, step) => {
  const before = await lastAuditLine()
  await sides.run(step)
  await expectSameRows()
  expect((await lastAuditLine()) - before).toBe(step.refused === undefined ? 2 : 0)
})

/** Returns the number of the newest line of the audit. */
const lastAuditLine = async (): Promise<number> =>
  Number((await command('audit', 'list', '--limit', '1')).json<{ audit: { seq: number }[] }>().audit[0]!.seq)

test('the audit of an erased user names the source alone', async () => {
  const lines = (await admin.get('/audit?action=reviewer.erase')).body.data as Body[]
  expect(lines).toMatchObject([
    { target: 's', via: 'api', actor_kind: 'token' },
    { target: 's', via: 'cli', actor_kind: 'cli' },
  ])
  expect(JSON.stringify(lines)).not.toContain('ann-')
})

/** Imports rows through the API and waits for the end of the job; returns its id. */
async function upload(rows: string, query: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' }
  const { text } = await send(world.url, `/admin/v1/imports?${query}`, { method: 'POST', headers, body: rows })
  const { id } = JSON.parse(text) as Body
  const check = async () => expect((await admin.get(`/jobs/${id}`)).body).toHaveProperty('ended_at')
  await vi.waitFor(check, { timeout: inject('limitMs') / 2, interval: 100 })
  return id
}

test.each([
  ['import places', 'imported', [{ name: 'Place', lat: 3, lon: 4, category: 'museum' }, { name: 'Nowhere' }], 'done'],
  ['an import whose rows are all rejected', 'rejected', [{ name: 'Nowhere' }], 'failed'],
])('%s', async (_, name, rows, state) => {
  for (const [i, ids] of [sides.ids.cli, sides.ids.api].entries()) ids[name] = `${i + 7}00000000${name.length}31`
  const lines = (ids: Ids) =>
    ndjson(rows.map((row, i) => ({ id: Number(ids[name]) + i, source_id: `${ids[name]} ${i}`, ...row })))
  // The name that an upload has.
  const file = join(folder.path, 'upload')
  writeFileSync(file, lines(sides.ids.cli))
  const { code } = await command('import', file, '--source', 'same', '--kind', 'locations')
  expect(code).toBe(state === 'done' ? 0 : 1)
  sides.ids.cli.job = ((await command('imports', 'list')).json().imports as Body[])[0]!.id
  sides.ids.api.job = await upload(lines(sides.ids.api), 'source=same&kind=locations')
  await expectSameRows()
  expect((await sides.rows()).cli.jobs).toHaveLength(name === 'imported' ? 1 : 2)
  expect((await admin.get(`/imports/${sides.ids.api.job}`)).body.state).toBe(state)
})

test('an import into an unknown field is refused before it starts', async () => {
  const file = join(folder.path, 'upload')
  expect((await command('import', file, '--map', 'colour=red')).code).toBe(2)
  const refused = await admin.send('POST', '/imports?map=colour%3Dred')
  expect([refused.status, refused.body.code]).toEqual([400, 'field_unknown'])
  await expectSameRows()
})

test('revoke a token, which sees itself alone by the API', async () => {
  for (const side of ['cli', 'api'] as const) {
    const made = (await command('tokens', 'create', '--name', 'same', '--permission', 'users:read')).json<{
      id: string
      token: string
    }>()
    sides.ids[side].token = made.id
    if (side === 'cli') expect((await command('tokens', 'revoke', made.id)).code).toBe(0)
    else {
      const own = adminClient(world, made.token)
      const listed = (await own.get('/tokens')).body.data
      const all = (await command('tokens', 'list')).json().tokens as Body[]
      expect(listed).toEqual(all.filter(({ id }) => id === made.id))
      const other = await own.send('DELETE', `/tokens/${sides.ids.cli.token}`)
      expect([other.status, other.body.code]).toEqual([404, 'token_unknown'])
      expect((await own.send('DELETE', `/tokens/${made.id}`)).status).toBe(200)
    }
  }
  expect((await command('tokens', 'revoke', 'token_0')).code).toBe(1)
  await expectSameRows()
})

test('users and sessions read the same, and no token changes them', async () => {
  expect((await command('users', 'invite', 'ann@example.org', '--role', 'support')).code).toBe(0)
  const { users } = (await command('users', 'list')).json<{ users: Body[] }>()
  expect((await admin.get('/users')).body.data).toEqual(users)
  const { sessions } = (await command('sessions', 'list')).json<{ sessions: Body[] }>()
  expect((await admin.get('/sessions')).body.data).toEqual(sessions)
  expect((await command('sessions', 'list', '--user', 'nobody')).code).toBe(1)
  expect((await admin.get('/sessions?user=nobody')).body.code).toBe('user_unknown')
  for (const method of ['POST', 'PATCH', 'DELETE'])
    expect((await admin.send(method, '/users', { email: 'eve@example.org' })).status, method).toBeGreaterThanOrEqual(
      404,
    )
})
