import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { send } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, createToken } from './admin-client.ts'

let world: World
let admin: AdminClient
let token: string
beforeAll(async () => {
  world = await startWorld({}, 'empty')
  token = await createToken(world)
  admin = adminClient(world, token)
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
      expect([target, reply.headers.vary === undefined]).toEqual([target, isForwarded])
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
      { field: 'colour', message: 'This parameter does not exist. The parameters are limit, after.' },
      { field: 'after', message: 'Send this parameter once.' },
      { field: 'limit', message: 'Expected an integer from 1 to 200.', rejected_value: '0' },
    ])
    const { body } = await admin.send('POST', '/partners', { email: 5, colour: 'red' })
    expect(body.field_errors).toEqual([
      { field: 'name', message: 'Required, but missing.' },
      { field: 'colour', message: 'This member does not exist. The members are name, email, external_ref.' },
      { field: 'email', message: 'Expected text.', rejected_value: '5' },
    ])
  })

  test.each([
    ['{"name":', 'application/json', 400, 'body_invalid'],
    ['["name"]', 'application/json', 400, 'body_invalid'],
    ['name=A', 'application/x-www-form-urlencoded', 415, 'media_type_unsupported'],
    [`{"name":"${'x'.repeat(1_048_577)}"}`, 'application/json', 413, 'body_too_large'],
    ['{"name":" "}', 'application/json', 400, 'text_empty'],
  ])('a body %.12s of %s is %i %s', async (body, type, status, code) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
    const reply = await send(world.url, '/admin/v1/partners', { method: 'POST', headers, body })
    expect([reply.status, (reply.json() as { code: string }).code]).toEqual([status, code])
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

  test('a change names its revision: 428 without, 412 with the present state after another change', async () => {
    const { body: made } = await admin.send('POST', '/partners', { name: 'Twice' })
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
