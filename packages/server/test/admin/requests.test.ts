/** The request log of a running service: calls, refusals before metering, explanations. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeAdmin } from '../../src/compose/admin.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composeRequests } from '../../src/compose/requests.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { noFactors, type User } from '../../src/domain/user.ts'
import type { ExplainedRequestResource, RequestResource } from '../../src/resources/request.ts'
import { changeKey } from '../../src/usecases/admin/change-key.ts'
import { explainRefusals } from '../../src/usecases/admin/explain-refusals.ts'
import { periplus } from '../cli.ts'
import { verifyFolder } from '../composed.ts'
import { eventually } from '../eventually.ts'
import type { Reply } from '../http-client.ts'
import { adminClient, createToken } from '../management/admin-client.ts'
import { record } from '../record.ts'
import { makeKey, startWorld, type World } from '../world.ts'

interface Listed {
  readonly requests: RequestResource[]
  readonly refusals: {
    readonly key_id: string
    readonly code: string
    readonly version?: string
    readonly calls: number
    readonly explanation: { readonly sentence: string }
  }[]
  readonly counted_to?: string
}

let world: World
let tight: { id: string; secret: string }
beforeAll(async () => {
  world = await startWorld()
  const agreement = { rate: 1000, burst: 1000, quota: 3, searchRate: 0.01, searchBurst: 1 }
  tight = await makeKey(world.config, { agreement })
})
afterAll(() => world.close())

const run = (...args: string[]) => periplus([...args, '--data', world.config.data])
const list = async (...args: string[]) => (await run('requests', 'list', '--json', ...args)).json<Listed>()
const idOf = (reply: Reply): string => reply.headers['x-request-id'] as string

/** Waits until the log has the call, and returns it with its explanation. */
const show = (reply: Reply): Promise<ExplainedRequestResource> =>
  eventually(async () => {
    const shown = await run('requests', 'show', idOf(reply), '--json')
    expect(shown.code).toBe(0)
    return shown.json<ExplainedRequestResource>()
  })

it('explains a call with the words of its response', async () => {
  const get = (target: string) => world.get(target, { key: tight.secret })
  const [served, invalid, unknown, forbidden] = [
    await get('/locations/1'),
    await get('/locations/nearby?lat=91&lon=x&strict=true&peri_live_secret=1'),
    await get('/locations/99'),
    await get('/recommendations/search?query=a'),
  ]
  await get('/locations/search?query=a')
  const searched = await get('/locations/search?query=a')
  const early = await get('/locations/search?query=a')
  const many = await get('/locations?ids=1,2,3,4,5')
  const detailOf = (reply: Reply) => (reply.json() as { detail: string }).detail

  expect(await show(served)).toMatchObject({
    status: 200,
    units: 1,
    operation: 'getLocation',
    version: '1',
    version_explicit: false,
    key_id: tight.id,
    fields: [],
    policies: [],
    package: 'discover',
    limits: { quota: 3, search_burst: 1 },
    explanation: { code: 'served', sentence: 'The call was served. It cost 1 unit.' },
  })
  const wrong = await show(invalid)
  // The name of an unknown parameter is a text of the client, here even a secret.
  expect(wrong).toMatchObject({
    status: 400,
    fault: 'parameters_invalid',
    fields: expect.arrayContaining(['lat', 'lon', 'strict']),
  })
  expect(JSON.stringify(wrong)).not.toContain('peri_live')
  expect(wrong.explanation.sentence).toContain('lat')
  expect(await show(unknown)).toMatchObject({
    status: 404,
    units: 0,
    explanation: { code: 'location_unknown', link: 'catalog' },
  })
  const denied = await show(forbidden)
  expect(denied).toMatchObject({ status: 403, explanation: { code: 'forbidden', link: 'plan' } })
  expect(denied.explanation.sentence).toContain(detailOf(forbidden))
  const limited = await show(searched)
  expect(limited).toMatchObject({ status: 429, policies: ['"search";q=1;w=100'], retry_after: 100 })
  expect(limited.explanation.sentence).toContain('The limit is 1 search every 100 s.')
  expect(detailOf(searched)).toContain('The limit is 1 search every 100 s.')
  expect(early.status).toBe(429)
  const unfit = await show(many)
  expect(unfit).toMatchObject({ status: 429, policies: ['"daily";q=3;w=86400'] })
  expect(detailOf(many)).toBe(
    `${unfit.explanation.sentence.replace(' Nothing was charged.', '')} ${unfit.explanation.remedy}`,
  )
})

it('explains a call with the terms at that time', async () => {
  const { id, secret } = await makeKey(world.config, { agreement: { quota: 2, searchRate: 0.1, searchBurst: 1 } })
  const search = () => world.get('/locations/search?query=a', { key: secret })
  await search()
  const refused = await search()
  const forbidden = await world.get('/recommendations/search?query=a', { key: secret })
  await run('keys', 'set', id, '--search-rate', '50', '--search-burst', '50', '--package', 'innovate', '--quota', '70')
  await run('keys', 'set', id, '--quota', '80')
  const shown = await show(refused)
  expect(shown.explanation.sentence).toContain('The limit is 1 search every 10 s.')
  expect(shown).toMatchObject({ package: 'discover', limits: { quota: 2, search_rate: 0.1, search_burst: 1 } })
  expect((await show(forbidden)).explanation.sentence).toContain('The package discover does not have it.')
})

it('lists calls by key, status and time, and prints them as text and CSV', async () => {
  const { id, secret } = await makeKey(world.config)
  for (const target of ['/locations/1', '/locations/99', '/locations/2']) await world.get(target, { key: secret })
  const all = await eventually(async () => {
    const found = await list('--key', id)
    expect(found.requests).toHaveLength(3)
    // The log may have a call from after the time up to which it has every call; the next calls move that time.
    await world.get('/locations/1')
    expect(Date.parse(found.counted_to!)).toBeGreaterThan(Date.parse(found.requests[0]!.at) - 1)
    return found
  })
  expect(all.requests.map(({ status }) => status)).toEqual([200, 404, 200])
  expect((await list('--key', id, '--status', '4xx')).requests).toEqual([all.requests[1]])
  expect((await list('--key', id, '--status', '200', '--limit', '1')).requests).toEqual([all.requests[0]])
  expect((await list('--key', id, '--fault', 'location_unknown', '--operation', 'getLocation')).requests).toHaveLength(
    1,
  )
  expect((await list('--key', id, '--since', '2099-01-01')).requests).toEqual([])
  expect((await list('--partner', 'nobody')).requests).toEqual([])
  expect((await run('requests', 'list', '--key', id)).stdout).toMatch(
    /location_unknown\n.*Counted up to 20.* UTC\.\n$/s,
  )
  const csv = await run('requests', 'list', '--key', id, '--csv')
  expect(csv.stdout.split('\n')[0]).toBe(
    'id,at,partner_id,key_id,operation,version,version_explicit,status,units,fault,fields,policies,retry_after,duration_ms',
  )
  expect(csv.stdout.trim().split('\n')).toHaveLength(4)
})

it('refuses bad input with a sentence', async () => {
  for (const args of [
    ['--status', '4x'],
    ['--status', '600'],
    ['--limit', '0'],
    ['--since', 'soon'],
  ])
    expect(await run('requests', 'list', ...args)).toMatchObject({ code: 2, stdout: '' })
  for (const id of ['x', '01990000-0000-7000-8000-000000000000']) {
    const shown = await run('requests', 'show', id)
    expect(shown).toMatchObject({ code: 1, stdout: '' })
    expect(shown.stderr).toContain(`The request ${id} is not in the request log.`)
  }
})

it('answers the same by the admin API, and to a token of a partner with its own calls alone', async () => {
  const other = (await run('partners', 'create', 'Other', '--json')).json<{ id: string }>().id
  const all = adminClient(world, await createToken(world, ['log:read']))
  const own = adminClient(world, await createToken(world, ['log:read'], ['--partner', 'tester']))
  const foreign = adminClient(world, await createToken(world, ['log:read'], ['--partner', other]))
  const page = await all.get(`/requests?key_id=${tight.id}&status=4xx&limit=2`)
  expect(page.status).toBe(200)
  const { requests } = await list('--key', tight.id, '--status', '4xx')
  const { data, next } = page.body as unknown as { data: RequestResource[]; next: string }
  expect(data).toEqual(requests.slice(0, 2))
  const rest = await own.get(`/requests?key_id=${tight.id}&status=4xx&after=${encodeURIComponent(next)}`)
  expect(rest.body).toEqual({ data: requests.slice(2), next: null })
  const shown = await own.get(`/requests/${data[0]!.id}`)
  expect(shown.body).toEqual((await run('requests', 'show', data[0]!.id, '--json')).json())
  expect((await foreign.get('/requests')).body).toEqual({ data: [], next: null })
  expect((await foreign.get('/refusals')).body).toEqual({ data: [], next: null })
  const unknownId = '01990000-0000-7000-8000-000000000000'
  const [hidden, unknown] = [await foreign.get(`/requests/${data[0]!.id}`), await foreign.get(`/requests/${unknownId}`)]
  const general = ({ body }: typeof hidden, id: string) =>
    JSON.stringify({ ...body, request_id: '' }).replaceAll(id, 'ID')
  expect([hidden.status, general(hidden, data[0]!.id)]).toEqual([404, general(unknown, unknownId)])
  for (const query of ['after=x', 'status=4x', 'from=soon', 'colour=red', 'limit=201'])
    expect([query, (await all.get(`/requests?${query}`)).status]).toEqual([query, 400])
  const csv = await all.get(`/requests?key_id=${tight.id}`, { Accept: 'text/csv' })
  expect(csv.text.split(/\r?\n/)[0]).toMatch(/^id,at,partner_id,key_id,/)
})

it('counts calls of known keys that are refused before metering, and nothing of unknown keys', async () => {
  const { id, secret } = await makeKey(world.config)
  const get = (target: string) => world.get(target, { key: secret })
  // A change of keys, such as their creation, removes all keys from memory once.
  for (let round = 0; round < 5; round++) {
    expect((await get('/locations/1')).status).toBe(200)
    expect((await get('/locations/1?version=0')).status).toBe(410)
    expect((await get('/locations/1?version=peri_live_x')).status).toBe(400)
  }
  await run('keys', 'disable', id)
  await eventually(async () => expect((await get('/locations/1')).status).toBe(401))
  expect((await get('/locations/1?version=2')).status).toBe(401)
  await world.get('/locations/1', { key: 'peri_live_unknown' })
  // The last counts are handed over when the service stops.
  await world.restart()
  const { refusals } = await list('--key', id)
  expect(refusals.map(({ code, version, calls }) => [code, version, calls])).toEqual([
    ['key_disabled', '1', expect.any(Number)],
    ['key_disabled', '2', 1],
    ['version_retired', '0', expect.any(Number)],
    ['version_unknown', undefined, expect.any(Number)],
  ])
  expect((await run('requests', 'list', '--key', id)).stdout).toMatch(/Refused before metering:\n.*key_disabled/s)
  expect(refusals[0]!.explanation.sentence).toMatch(
    /^This API key is disabled\. The operator changed it on 20\S+ \S+ UTC\.$/,
  )
})

it('explains refusals of a key by the last change before them, and names the partner that made it', async () => {
  const { id } = await makeKey(world.config)
  const engine = openConfiguredEngine(world.config, { create: false })
  const refused = (code: string, lastMs: number) => ({
    partnerId: 'tester',
    keyId: id,
    hourMs: 0,
    code,
    version: '1',
    calls: 1,
    lastMs,
  })
  const sentences = async (...rows: ReturnType<typeof refused>[]) =>
    (await explainRefusals(composeRequests(engine, world.config), rows)).map(row => row.explanation.sentence)
  const ann: User = {
    id: 'user_ann',
    email: 'ann@tester.example',
    memberships: [{ partnerId: 'tester', role: 'admin' }],
    state: 'active',
    factors: noFactors,
    createdMs: 1,
    revision: 1,
  }
  await engine.people.users.create(ann, record())
  const user: Actor = { kind: 'user', id: ann.id, via: 'portal', partnerId: 'tester' }
  const disabling = { id, expectedRevision: 1, change: { state: 'disabled' as const } }
  const startMs = Date.now()
  expect(await changeKey(composeAdmin(engine, world.config), user, disabling)).toMatchObject({ state: 'disabled' })
  expect(await sentences(refused('key_disabled', Date.now()), refused('key_disabled', startMs - 1))).toEqual([
    expect.stringMatching(/^This API key is disabled\. The partner changed it on 20\S+ \S+ UTC\.$/),
    'This API key is disabled.',
  ])
  await run('keys', 'rotate', id, '--overlap', '0s')
  expect((await sentences(refused('key_expired', Date.now())))[0]).toContain('The operator changed it on 20')
  await run('partners', 'close', 'tester')
  expect((await sentences(refused('key_revoked', Date.now())))[0]).toContain('The operator changed it on 20')
  await run('partners', 'open', 'tester')
  await engine.close()
})

it('is filled again when its file is deleted while the service runs, and changes no check', async () => {
  const before = await eventually(async () => {
    const { requests } = await list('--limit', '999')
    expect(requests.length).toBeGreaterThan(10)
    return requests
  })
  for (const name of readdirSync(world.config.data).filter(one => one.startsWith('requests.sqlite')))
    rmSync(join(world.config.data, name))
  await eventually(async () => expect((await list('--limit', '999')).requests).toEqual(before))
  expect(await verifyFolder(world.config)).toEqual([])
})

it('is in no backup, and contains no secret', async () => {
  const target = join(world.config.data, '..', `${world.config.data.split('/').at(-1)}-backup`)
  expect((await run('backup', target)).code).toBe(0)
  expect(existsSync(join(target, 'control.sqlite'))).toBe(true)
  expect(readdirSync(target).filter(name => name.startsWith('requests'))).toEqual([])
  rmSync(target, { recursive: true })
  const files = readdirSync(world.config.data).filter(name => name.startsWith('requests.sqlite'))
  const texts = files.map(name => readFileSync(join(world.config.data, name), 'latin1')).join('')
  expect(texts).toContain('getLocation')
  expect(texts).not.toMatch(/peri_(live|test)/)
})
