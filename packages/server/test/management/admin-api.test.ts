import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleAdminSettings } from '../../src/management/openapi.ts'
import { periplus } from '../cli.ts'
import { send } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, type Body, createToken } from './admin-client.ts'

let world: World
let admin: AdminClient
let token: string
beforeAll(async () => {
  world = await startWorld({}, 'empty')
  token = await createToken(world)
  admin = adminClient(world, [token, ...(await Promise.all([1, 2, 3, 4, 5, 6].map(() => createToken(world))))])
})
afterAll(() => world.close())

describe('paths of the management server', () => {
  test('are forwarded below their names alone', async () => {
    for (const [target, isForwarded] of [
      ['/portal', true],
      ['/portal/', true],
      ['/console?a=b', true],
      ['/mcp', true],
      ['/admin/v1/partners', true],
      ['/portalx', false],
      ['/admin', false],
      ['/admin/v2', false],
      ['/consoles/', false],
    ] as const) {
      const reply = await send(world.url, target)
      // Only the partner API varies by API key.
      expect([target, /x-api-key/i.test(reply.headers.vary ?? '')]).toEqual([target, !isForwarded])
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('drop headers that only the forwarder may set', async () => {
    const reply = await send(world.url, '/admin/v1/partners', {
      headers: { 'X-Request-Id': 'forged', 'X-Periplus-Client': 'forged', Authorization: `Bearer ${token}` },
    })
    expect(reply.status).toBe(200)
    expect(reply.headers['x-request-id']).not.toBe('forged')
  })
})

describe('admission', () => {
  test('401 with a challenge for a missing, malformed or unknown token', async () => {
    const flipped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    for (const [sent, code] of [
      [undefined, 'token_missing'],
      ['x', 'token_invalid'],
      [flipped, 'token_invalid'],
      [world.key, 'token_invalid'],
    ] as const) {
      const { status, headers, body } = await adminClient(world, sent).get('/partners')
      expect([sent, status, body.code]).toEqual([sent, 401, code])
      expect(headers['www-authenticate']).toMatch(/^Bearer /)
    }
  })

  test('a revoked token is refused at once', async () => {
    const made = await createToken(world, ['partners:read'])
    const { tokens } = (await periplus(['tokens', 'list', '--json', '--data', world.config.data])).json<{
      tokens: { id: string }[]
    }>()
    expect((await adminClient(world, made).get('/partners')).status).toBe(200)
    await periplus(['tokens', 'revoke', tokens.at(-1)!.id, '--data', world.config.data])
    expect((await adminClient(world, made).get('/partners')).status).toBe(401)
  })

  test('403 names the permission; a problem has the members of R-13 and a code', async () => {
    const reader = adminClient(world, await createToken(world, ['partners:read']))
    const { status, body, headers } = await reader.send('POST', '/partners', { name: 'A' })
    expect(status).toBe(403)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(body).toEqual({
      type: `${world.url}/docs/errors#permission_missing`,
      title: 'Forbidden',
      status: 403,
      detail: 'This requires a token with the permission partners:write.',
      instance: '/admin/v1/partners',
      message: 'The admin token does not have the permission of this operation.',
      request_id: headers['x-request-id'],
      code: 'permission_missing',
    })
  })
})

describe('requests', () => {
  test('unknown paths are 404 and unsupported methods 405 with Allow', async () => {
    expect((await admin.get('/nothing')).body.code).toBe('path_unknown')
    const { status, headers } = await admin.send('DELETE', '/partners')
    expect([status, headers.allow]).toEqual([405, 'GET, POST, HEAD'])
  })

  test('every wrong parameter and member is named', async () => {
    const read = await admin.get('/partners?limit=0&colour=red&after=a&after=b')
    expect(read.status).toBe(400)
    expect(read.body.field_errors).toEqual([
      { field: 'colour', message: 'This parameter does not exist. The parameters are limit, after, sort, state, q.' },
      { field: 'after', message: 'Send this parameter once.' },
      { field: 'limit', message: 'Expected an integer from 1 to 200.', rejected_value: '0' },
    ])
    const { body } = await admin.send('POST', '/partners', { email: 5, colour: 'red' })
    expect(body.field_errors).toEqual([
      { field: 'name', message: 'Required, but missing.' },
      { field: 'colour', message: 'This member does not exist. The members are name, email, external_ref.' },
      { field: 'email', message: 'Expected text of at most 254 characters.', rejected_value: '5' },
    ])
  })

  test.each([
    ['{"name":', 'application/json', 400, 'body_invalid'],
    ['["name"]', 'application/json', 400, 'body_invalid'],
    ['name=A', 'application/x-www-form-urlencoded', 415, 'media_type_unsupported'],
    [`{"name":"${'x'.repeat(1_048_577)}"}`, 'application/json', 413, 'body_too_large'],
    ['{"name":" "}', 'application/json', 400, 'text_empty'],
    ['{"name":"a\\nb"}', 'application/json', 400, 'text_invalid'],
    [`{"name":"${'x'.repeat(201)}"}`, 'application/json', 400, 'parameters_invalid'],
  ])('a body %.12s of %s is %i %s', async (body, type, status, code) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
    const reply = await send(world.url, '/admin/v1/partners', { method: 'POST', headers, body })
    expect([reply.status, (reply.json() as { code: string }).code]).toEqual([status, code])
  })

  test('a coded body is 415, because it is not decoded', async () => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    const reply = await send(world.url, '/admin/v1/partners', { method: 'POST', headers, body: '{"name":"A"}' })
    expect(reply.json()).toMatchObject({ status: 415, detail: expect.stringContaining('without Content-Encoding') })
  })

  test('a body with very many mistakes, or nested very deep, is refused like any other', async () => {
    const many = Array.from({ length: 500_000 }, () => 1)
    const unknown = Object.fromEntries(many.slice(0, 100_000).map((_, i) => [i.toString(36), 1]))
    for (const body of [{ add_ons: many }, unknown]) {
      const reply = await admin.send('POST', '/keys', body)
      expect(reply.body).toMatchObject({ status: 400, code: 'parameters_invalid' })
      expect(reply.body.field_errors).toHaveLength(100)
    }
    const deep = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`
    for (const depth of [100, 200_000]) {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const { status } = await send(world.url, '/admin/v1/partners', { method: 'POST', headers, body: deep(depth) })
      expect([depth, status]).toEqual([depth, 400])
    }
  })
})

describe('/partners', () => {
  test('creates, reads, changes and pages through partners', async () => {
    const made = await admin.send('POST', '/partners', { name: 'Atlas', email: 'ops@atlas.example' })
    expect([made.status, made.headers.etag]).toEqual([201, '"1"'])
    expect(made.headers.location).toBe(`/admin/v1/partners/${made.body.id}`)
    const path = `/partners/${made.body.id}`
    expect((await admin.get(path)).body).toEqual(made.body)
    expect((await admin.get(path, { 'If-None-Match': '"1"' })).status).toBe(304)
    const changed = await admin.send('PATCH', path, { email: null, external_ref: 'crm 7' }, { 'If-Match': '"1"' })
    expect(changed.body).toMatchObject({ name: 'Atlas', external_ref: 'crm 7', revision: 2 })
    expect(changed.body.email).toBeUndefined()
    const names: unknown[] = []
    for (let next: unknown = ''; next !== null; ) {
      const page = await admin.get(`/partners?limit=1${next && `&after=${next}`}`)
      names.push(...(page.body.data as { name: string }[]).map(({ name }) => name))
      next = page.body.next
    }
    expect(names).toEqual(['Tester', 'Atlas'])
  })

  test('a change names its revision: 428 without, 412 with the current state after another change', async () => {
    const { body: made } = await admin.send('POST', '/partners', { name: '😀'.repeat(200) })
    const path = `/partners/${made.id}`
    expect((await admin.send('PATCH', path, { name: 'A' })).body.code).toBe('if_match_missing')
    expect((await admin.send('PATCH', path, { name: 'A' }, { 'If-Match': 'W/"1"' })).status).toBe(400)
    const replies = await Promise.all(
      ['A', 'B'].map(name => admin.send('PATCH', path, { name }, { 'If-Match': '"1"' })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412])
    const won = replies.find(({ status }) => status === 200)!
    const lost = replies.find(({ status }) => status === 412)!
    expect(lost.body).toMatchObject({ code: 'changed_meanwhile', current: won.body })
    expect((await admin.send('PATCH', path, { name: 'C' }, { 'If-Match': '"7", "2"' })).status).toBe(200)
    expect((await admin.send('PATCH', path, { name: 'D' }, { 'If-Match': '*' })).body.revision).toBe(4)
  })

  test('a token of one partner sees that partner alone', async () => {
    const { body: other } = await admin.send('POST', '/partners', { name: 'Other' })
    const own = adminClient(
      world,
      await createToken(world, ['partners:read', 'partners:write'], ['--partner', 'tester']),
    )
    expect((await own.get('/partners')).body.data).toMatchObject([{ id: 'tester' }])
    const [hidden, missing] = [await own.get(`/partners/${other.id}`), await own.get('/partners/nobody')]
    const masked = ({ body }: typeof hidden, id: string) =>
      JSON.stringify({ ...body, request_id: '' }).replaceAll(id, 'ID')
    expect(hidden.status).toBe(404)
    expect(masked(hidden, other.id)).toBe(masked(missing, 'nobody'))
    expect((await own.send('POST', '/partners', { name: 'X' })).body.code).toBe('permission_missing')
  })
})

describe('/keys', () => {
  test('creates a key whose secret works, shows it without, and changes its terms', async () => {
    const made = await admin.send('POST', '/keys', {
      package: 'growth',
      name: 'Maps',
      partner_id: 'tester',
      add_ons: ['recommendations'],
      agreement: { rate: 50, search_quota: 'unlimited' },
      scope: { countries: ['ES', 'FR'] },
      expires_at: '2099-01-01T00:00:00Z',
      networks: ['127.0.0.1'],
      notes: 'Spring offer.',
    })
    expect([made.status, made.headers.etag]).toEqual([201, '"1"'])
    const { secret, ...shown } = made.body
    expect((await world.get('/locations/search?query=a', { key: secret as string })).status).toBe(200)
    const path = `/keys/${made.body.id}`
    expect((await admin.get(path)).body).toEqual(shown)
    expect(shown).toMatchObject({
      networks: ['127.0.0.1/32'],
      expires_at: '2099-01-01T00:00:00.000Z',
      notes: 'Spring offer.',
      limits: { rate: { value: 50, source: 'agreement' }, search_quota: { value: 'unlimited', source: 'agreement' } },
    })
    const patch = {
      agreement: { rate: null, quota: 9 },
      scope: { countries: null },
      expires_at: null,
      state: 'disabled',
    }
    const changed = await admin.send('PATCH', path, patch, { 'If-Match': '"1"' })
    expect(changed.body).toMatchObject({
      state: 'disabled',
      scope: {},
      revision: 2,
      limits: { rate: { source: 'package' }, quota: { value: 9 }, search_quota: { value: 'unlimited' } },
    })
    expect(changed.body.expires_at).toBeUndefined()
  })

  test('rotation adds a secret; both work during the overlap', async () => {
    const { body: made } = await admin.send('POST', '/keys', { package: 'discover' })
    const rotated = await admin.send('POST', `/keys/${made.id}/secrets`, { overlap_seconds: 60 })
    expect([rotated.status, rotated.body.revision]).toEqual([201, 2])
    for (const { secret } of [made, rotated.body])
      expect((await world.get('/locations/search?query=a', { key: secret as string })).status).toBe(200)
    const stale = await admin.send('POST', `/keys/${made.id}/secrets`, {}, { 'If-Match': '"1"' })
    expect([stale.status, stale.body.code]).toEqual([412, 'changed_meanwhile'])
  })

  test.each([
    [{}, 'parameters_invalid', 'package'],
    [{ package: 'innovate' }, 'quota_required', 'agreement.quota'],
    [{ package: 'growth', agreement: { rate: -1 } }, 'parameters_invalid', 'agreement.rate'],
    [{ package: 'growth', agreement: { speed: 1 } }, 'parameters_invalid', 'agreement.speed'],
    [{ package: 'growth', scope: { countries: ['Spain'] } }, 'scope_invalid', 'scope.countries'],
    [{ package: 'growth', scope: { sources: ['x'.repeat(201)] } }, 'source_invalid', 'scope.sources'],
    [{ package: 'growth', scope: { sources: Array(251).fill('x') } }, 'values_too_many', 'scope.sources'],
    [{ package: 'growth', partner_id: 'nobody' }, 'partner_unknown', undefined],
    [{ package: 'growth', expires_at: 'soon' }, 'parameters_invalid', 'expires_at'],
    [{ package: 'growth', networks: ['x'] }, 'network_invalid', 'networks'],
  ])('refuses %j: %s', async (body, code, field) => {
    const reply = await admin.send('POST', '/keys', body)
    expect(reply.body.code).toBe(code)
    expect((reply.body.field_errors as { field: string }[] | undefined)?.[0]?.field).toBe(field)
  })

  test('lists are filtered and paged; a cursor that no page has sent is refused', async () => {
    const { body: owner } = await admin.send('POST', '/partners', { name: 'Listed Ünlimited' })
    const made: unknown[] = []
    for (const test of [false, true, true])
      made.push((await admin.send('POST', '/keys', { package: 'growth', partner_id: owner.id, test })).body.id)
    const list = async (query: string) => (await admin.get(query)).body as Body & { data: Body[]; next: string | null }
    expect((await list('/partners?q=LISTED%20%C3%BC&state=open')).data.map(({ id }) => id)).toEqual([owner.id])
    expect((await list('/partners?q=listed&state=closed')).data).toEqual([])
    const first = await list(`/keys?partner_id=${owner.id}&limit=2`)
    const second = await list(`/keys?partner_id=${owner.id}&limit=2&after=${first.next}`)
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made)
    expect(second.next).toBeNull()
    expect((await list(`/keys?partner_id=${owner.id}&test=true`)).data.map(({ id }) => id)).toEqual(made.slice(1))
    for (const path of ['/keys?after=xyz', '/partners?after=xyz'])
      expect((await admin.get(path)).body).toMatchObject({
        code: 'parameters_invalid',
        field_errors: [{ field: 'after' }],
      })
  })

  test('shows what is left of the limits, and forgives a penalty', async () => {
    const { body: made } = await admin.send('POST', '/keys', { package: 'discover', agreement: { rate: 1, burst: 1 } })
    const call = () => world.get('/locations/999999', { key: made.secret as string })
    for (let i = 0; i < 2; i++) await call()
    const { body } = await admin.get(`/keys/${made.id}/limits`)
    expect(body).toMatchObject({ package: { calls_left: 0, window: {} }, search: { calls_left: 5 } })
    expect((await admin.send('DELETE', `/keys/${made.id}/penalty`)).body).not.toHaveProperty('package.penalty')
  })
})

describe('other resources', () => {
  test('/audit lists the changes of the API with token and address, also as CSV', async () => {
    const { body: made } = await admin.send('POST', '/partners', { name: 'Audited' })
    const { body } = await admin.get(`/audit?target=${made.id}`)
    expect(body.data).toMatchObject([
      { action: 'partner.create', actor_kind: 'token', via: 'api', address: '127.0.0.1', after: { name: true } },
    ])
    const csv = await admin.get(`/audit?target=${made.id}`, { Accept: 'text/csv' })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.text).toMatch(/^seq,at,actor_kind,.*\n\d+,.*partner\.create/)
    const first = await admin.get('/audit?limit=1')
    const second = await admin.get(`/audit?limit=1&after=${first.body.next}`)
    expect(second.body.data).not.toEqual(first.body.data)
    expect((await admin.get('/audit?from=yesterday')).body.code).toBe('parameters_invalid')
  })

  test('/usage and /statements report what the commands report', async () => {
    const data = ['--json', '--data', world.config.data]
    const { body } = await admin.get('/usage?by=key,status&tz=Europe/Madrid')
    const printed = (await periplus(['usage', '--by', 'key,status', ...data])).json()
    expect({ ...body, to: '' }).toEqual({ ...printed, to: '' })
    const month = new Date().toISOString().slice(0, 7)
    const { body: statement } = await admin.get(`/statements/tester/${month}`)
    expect(statement).toEqual(
      (await periplus(['usage', 'statement', '--partner', 'tester', '--month', month, ...data])).json(),
    )
    const csv = await admin.get('/usage?by=operation', { Accept: 'text/csv' })
    expect(csv.text).toMatch(/^operation,calls,units,billable_units\n/)
    expect((await admin.get('/usage?by=colour')).body.code).toBe('parameters_invalid')
    expect((await admin.get('/statements/tester/2026-13')).body.code).toBe('month_invalid')
    expect((await admin.get('/statements/nobody/2026-11')).status).toBe(404)
  })

  test('/packages, /versions, /config and /health show the installation', async () => {
    expect((await admin.get('/packages')).body).toMatchObject({ data: [{ name: 'discover' }, {}, {}, {}, {}] })
    const { data } = (await admin.get('/versions')).body as unknown as { data: { name: string; default: boolean }[] }
    expect(data.filter(version => version.default)).toHaveLength(1)
    const settings = (await admin.get('/config')).body.settings
    expect(settings).toContainEqual({ setting: 'management.enabled', value: true, source: 'default' })
    expect((await admin.get('/health')).body).toMatchObject({ status: 'ready', reasons: [] })
    const own = adminClient(world, await createToken(world, ['system:read'], ['--partner', 'tester']))
    expect((await own.get('/config')).status).toBe(403)
  })
})

describe('Idempotency-Key', () => {
  test('three parallel requests create one key, and get the same secret', async () => {
    const sent = { package: 'growth', name: 'Once' }
    const post = (body: object, key: string) => admin.send('POST', '/keys', body, { 'Idempotency-Key': key })
    // Tokens have separate keys: all requests of this test use one.
    const one = adminClient(world, token)
    const create = () => one.send('POST', '/keys', sent, { 'Idempotency-Key': 'a-1' })
    const replies = await Promise.all([create(), create(), create()])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.map(({ status, headers }) => [status, headers.etag])).toEqual(Array(3).fill([201, '"1"']))
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(2)
    const { data } = (await admin.get('/keys?limit=200')).body as unknown as { data: { name?: string }[] }
    expect(data.filter(({ name }) => name === 'Once')).toHaveLength(1)
    const other = await one.send('POST', '/keys', { ...sent, name: 'Twice' }, { 'Idempotency-Key': 'a-1' })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect((await post(sent, 'ü')).body.code).toBe('parameters_invalid')
  })

  test('a refused request may be repeated, and no answer is stored in clear', async () => {
    const one = adminClient(world, token)
    const create = (body: object) => one.send('POST', '/keys', body, { 'Idempotency-Key': 'b-1' })
    expect((await create({ package: 'growth', partner_id: 'nobody' })).status).toBe(404)
    const made = await create({ package: 'growth' })
    expect(made.status).toBe(201)
    const secret = made.body.secret as string
    const names = readdirSync(world.config.data).filter(name => name.startsWith('control.sqlite'))
    for (const name of names) expect(readFileSync(join(world.config.data, name)).includes(secret)).toBe(false)
  })
})

test('/openapi.json is the committed document, with the URL of the service', async () => {
  const { text } = await send(world.url, '/admin/v1/openapi.json')
  const committed = readFileSync(new URL('../../../../contract/admin/v1.openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(text.replaceAll(world.url, exampleAdminSettings.publicUrl))).toEqual(JSON.parse(committed))
})

test('a list is sorted as asked, and a cursor belongs to the order of its page', async () => {
  for (const name of ['Sorted 1', 'Sorted 2'])
    expect((await admin.send('POST', '/partners', { name })).status).toBe(201)
  const names = async (path: string) => {
    const { status, body } = await admin.get(path)
    expect([path, status]).toEqual([path, 200])
    return (body.data as { name: string }[]).map(({ name }) => name)
  }
  const all = await names('/partners?sort=name,desc')
  expect(all).toEqual((await names('/partners?sort=name,asc')).toReversed())
  const { body: first } = await admin.get('/partners?sort=name,desc&limit=1')
  const next = encodeURIComponent(first.next as string)
  expect(await names(`/partners?sort=name,desc&after=${next}`)).toEqual(all.slice(1))
  expect((await admin.get(`/partners?after=${next}`)).body.code).toBe('parameters_invalid')
  const [wrong] = (await admin.get('/partners?sort=colour,asc')).body.field_errors as { message: string }[]
  expect(wrong!.message).toContain('created,asc, created,desc, name,asc')
})
