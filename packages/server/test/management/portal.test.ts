/** Sign-in, links and sign-out in the portal, over HTTP. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { cookieName, isProtected, isSameSite } from '../../src/management/session.ts'
import { type Reply, send } from '../http-client.ts'
import { startWorld } from '../world.ts'
import { type AdminClient, adminClient, createToken } from './admin-client.ts'
import { createAuthenticator, type PasskeyOptions } from './authenticator.ts'
import { pageClient } from './page-client.ts'

const world = await startWorld({}, 'empty')
afterAll(() => world.close())

const { run, get, post, json, pathOf, cookieOf, password, ...pages } = pageClient(world)
/** Invites a person as staff and opens the link. */
const open = (email: string): Promise<Reply> => pages.open(email, '--role', 'support')

const { link: ownerLink } = await run('users', 'link', '--owner')

test('a link shows a form, leaves the link unspent, and works once', async () => {
  expect(ownerLink).toMatch(/^http:\/\/localhost:\d+\/portal\/link\/[\w-]{43}$/)
  const path = pathOf(ownerLink)
  for (let i = 0; i < 2; i++) expect(await get(path)).toMatchObject({ status: 200 })
  const weak = await post(path, { email: 'o@example.org', password: 'short' })
  expect(weak).toMatchObject({ status: 422 })
  expect(weak.text).toContain('12 to 200 characters')
  expect(weak.text).toContain('value="o@example.org"')
  const opened = await post(path, { email: 'o@example.org', name: 'Olga <O>', password })
  expect(opened).toMatchObject({ status: 303, headers: { location: '/portal', 'cache-control': 'no-store' } })
  expect(opened.headers['set-cookie']![0]).toMatch(/^periplus=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  const home = await get('/portal/profile', cookieOf(opened))
  expect(home.text).toContain('Signed in as Olga &lt;O&gt;.')
  expect(home.headers['content-security-policy']).toContain("default-src 'none'")
  expect(await post(path, { email: 'p@example.org', password })).toMatchObject({ status: 410 })
  expect(await get(path)).toMatchObject({ status: 410 })
  expect(await get('/portal/link/unknown')).toMatchObject({ status: 410 })
})

test('a sign-in by password gives a new token, whatever cookie the browser had', async () => {
  const fixed = `periplus=${'a'.repeat(43)}`
  const signedIn = await post('/portal/sign-in', { email: 'O@example.org', password }, { cookie: fixed })
  expect(signedIn.status).toBe(303)
  expect(cookieOf(signedIn)).not.toBe(fixed)
  expect(await get('/portal', fixed)).toMatchObject({ status: 303, headers: { location: '/portal/sign-in' } })
  const cookie = cookieOf(signedIn)
  expect(await get('/portal', cookie)).toMatchObject({ headers: { location: '/console' } })
  const left = await post('/portal/sign-out', {}, { cookie })
  expect(left).toMatchObject({ status: 303, headers: { location: '/portal/sign-in' } })
  expect(await get('/portal', cookie)).toMatchObject({ headers: { location: '/portal/sign-in' } })
})

test('a session that is ended by a command fails with its next request', async () => {
  const cookie = cookieOf(await post('/portal/sign-in', { email: 'o@example.org', password }))
  expect(await get('/portal', cookie)).toMatchObject({ headers: { location: '/console' } })
  await run('sessions', 'end', '--user', 'o@example.org')
  expect(await get('/portal', cookie)).toMatchObject({ headers: { location: '/portal/sign-in' } })
})

test('wrong passwords and unknown users get the same answer, and are slowed down', async () => {
  const pages = await Promise.all(
    ['o@example.org', 'nobody@example.org'].map(email => post('/portal/sign-in', { email, password: 'wrong pass 12' })),
  )
  const texts = pages.map(({ status, text }) => `${status} ${text.replace(/[\w.]+@example.org/, '')}`)
  expect(texts[0]).toBe(texts[1])
  expect(texts[0]).toMatch(/^401 /)
  const many = await Promise.all(
    Array.from({ length: 7 }, () => post('/portal/sign-in', { email: 'slow@example.org', password })),
  )
  const slowed = many.filter(({ status }) => status === 429)
  expect(slowed).toHaveLength(2)
  expect(Number(slowed[0]!.headers['retry-after'])).toBeGreaterThan(0)
})

test('an address takes a bounded number of steps without an account', async () => {
  const flooded = await startWorld({}, 'empty')
  try {
    const { post: send } = pageClient(flooded)
    const replies: Reply[] = []
    // A database may be too busy for some of them.
    while (replies.length < 2000 && !replies.some(({ status }) => status === 429))
      replies.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => send('/portal/sign-in/passkey/options', {})))),
      )
    expect(replies.length).toBeGreaterThan(100)
    const refused = replies.find(({ status }) => status === 429)
    expect(refused).toMatchObject({
      headers: { 'retry-after': '1' },
      text: expect.stringContaining('Too many attempts'),
    })
  } finally {
    await flooded.close()
  }
})

test('the profile adds an authenticator app; each code works once, and so does each recovery code', async () => {
  const cookie = cookieOf(await open('totp@example.org'))
  const form = await post('/portal/profile/totp', {}, { cookie })
  const [, secret] = /<code>(\w+)<\/code>/.exec(form.text)!
  const [, newTicket] = /name="ticket" value="([\w-]+)"/.exec(form.text)!
  const app = new TOTP({ secret: Secret.fromBase32(secret!) })
  const code = app.generate()
  expect(await post('/portal/profile/totp-code', { ticket: newTicket!, code: '000000x' }, { cookie })).toMatchObject({
    status: 401,
  })
  const confirmed = await post('/portal/profile/totp-code', { ticket: newTicket!, code }, { cookie })
  const codes = [...confirmed.text.matchAll(/<code>([a-z0-9]{5}-[a-z0-9]{5})<\/code>/g)].map(match => match[1]!)
  expect(codes).toHaveLength(10)
  expect((await get('/portal/profile', cookie)).text).toContain('10 recovery codes left')
  const ticketOf = async () => {
    const step = await post('/portal/sign-in', { email: 'totp@example.org', password })
    expect(step).toMatchObject({ status: 200 })
    expect(step.headers['set-cookie']).toBeUndefined()
    return /name="ticket" value="([\w-]+)"/.exec(step.text)![1]!
  }
  const ticket = await ticketOf()
  const send = (value: string, used = ticket) => post('/portal/sign-in/code', { ticket: used, code: value })
  expect(await send(code)).toMatchObject({ status: 401 })
  const next = app.generate({ timestamp: Date.now() + 30_000 })
  expect(await send(` ${next.slice(0, 3)} ${next.slice(3)}`)).toMatchObject({ status: 303 })
  expect(await send(next)).toMatchObject({ status: 410 })
  const second = await ticketOf()
  expect(await send(codes[0]!.toUpperCase().replace('-', ''), second)).toMatchObject({ status: 303 })
  expect(await send(codes[0]!, await ticketOf())).toMatchObject({ status: 401 })
  expect((await post('/portal/profile/recovery-codes', {}, { cookie })).text).not.toContain(codes[1])
  expect(await send(codes[1]!, await ticketOf())).toMatchObject({ status: 401 })
  const { link } = await run('users', 'link', 'totp@example.org')
  expect((await post(pathOf(link), { password })).text).toContain('Second factor')
  expect(await get('/portal', cookie)).toMatchObject({ headers: { location: '/portal/sign-in' } })
  const reset = await run('users', 'recover', 'totp@example.org')
  expect(await post(pathOf(reset.link), { password })).toMatchObject({ status: 303 })
})

test('the profile sets a password and ends the other sessions', async () => {
  const cookie = cookieOf(await open('change@example.org'))
  const other = cookieOf(await post('/portal/sign-in', { email: 'change@example.org', password }))
  expect(await post('/portal/profile/password', { password: 'short' }, { cookie })).toMatchObject({ status: 422 })
  expect(await post('/portal/profile/password', { password: 'another password 1' }, { cookie })).toMatchObject({
    status: 303,
  })
  expect(await get('/portal', other)).toMatchObject({ headers: { location: '/portal/sign-in' } })
  expect(await get('/portal', cookie)).toMatchObject({ headers: { location: '/console' } })
  expect(await post('/portal/prove', { password }, { cookie })).toMatchObject({ status: 401 })
  expect(await post('/portal/prove', { password: 'another password 1' }, { cookie })).toMatchObject({
    status: 303,
  })
  expect(await post('/portal/profile/password', { password })).toMatchObject({
    headers: { location: '/portal/sign-in?to=%2Fportal%2Fprofile' },
  })
})

test('a passkey signs in; wrong origins, challenges and signatures are refused', async () => {
  const cookie = cookieOf(await open('key@example.org'))
  const origin = new URL(ownerLink!).origin
  const authenticator = createAuthenticator(origin)
  const step = async (path: string, body: object, sent: string = cookie) => {
    const reply = await json(path, body, sent)
    return { ...reply, body: reply.body as { ticket: string; options: PasskeyOptions } }
  }
  const begin = (await step('/portal/profile/passkeys/options', {})).body
  const registered = await step('/portal/profile/passkeys', {
    ticket: begin.ticket,
    name: 'Laptop',
    response: authenticator.register(begin.options),
  })
  expect(registered).toMatchObject({ status: 201, body: { name: 'Laptop' } })
  expect((await get('/portal/profile', cookie)).text).toMatch(/<th scope="row" class="name">Laptop<\/th>/)
  const attempt = async (change: (options: PasskeyOptions) => object) => {
    const { ticket, options } = (await step('/portal/sign-in/passkey/options', {}, '')).body
    return step('/portal/sign-in/passkey', { ticket, response: change(options) }, '')
  }
  expect(
    await attempt(options => createAuthenticator('http://evil.example', authenticator).sign(options)),
  ).toMatchObject({ status: 401 })
  expect(await attempt(options => authenticator.sign({ ...options, challenge: 'AAAA' }))).toMatchObject({ status: 401 })
  expect(await attempt(options => ({ ...authenticator.sign(options), id: 'unknown' }))).toMatchObject({ status: 401 })
  expect(await attempt(options => createAuthenticator(origin, { id: authenticator.id }).sign(options))).toMatchObject({
    status: 401,
  })
  expect(await attempt(() => ({}))).toMatchObject({ status: 401 })
  const signedIn = await attempt(options => authenticator.sign(options))
  expect(signedIn).toMatchObject({ status: 200, body: { location: '/portal' } })
  const fresh = signedIn.headers['set-cookie']![0]!.split(';')[0]!
  expect(await get('/portal', fresh)).toMatchObject({ headers: { location: '/console' } })
  expect(await step('/portal/sign-in/passkey', { ticket: 'a', response: {} }, '')).toMatchObject({ status: 410 })
  expect(await post('/portal/profile/passkey-remove', { id: authenticator.id }, { cookie })).toMatchObject({
    status: 303,
  })
  expect(await attempt(options => authenticator.sign(options))).toMatchObject({ status: 401 })
  expect(await step('/portal/profile/passkeys/options', {}, '')).toMatchObject({ status: 401 })
})

test('writes of other sites are refused', async () => {
  const fields = { email: 'o@example.org', password }
  const origin = new URL(ownerLink!).origin
  const refused = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site', origin },
  ]
  for (const headers of refused) {
    const reply = await post('/portal/sign-in', fields, headers as Record<string, string>)
    expect(reply).toMatchObject({ status: 403 })
    expect(reply.headers['set-cookie']).toBeUndefined()
  }
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin }, { origin: world.url }])
    expect(await post('/portal/sign-in', fields, headers as Record<string, string>)).toMatchObject({ status: 303 })
})

test('the cookie is protected over https; plain http is for the same machine', () => {
  const access = (publicUrl: string, insecureHttp = false) => ({ publicUrl, insecureHttp })
  expect(cookieName(access('https://p.example/x'))).toBe('__Host-periplus')
  expect(isProtected(access('https://p.example'), '192.0.2.1')).toBe(true)
  expect(isProtected(access('http://192.0.2.9:8080'), '192.0.2.1')).toBe(false)
  expect(isProtected(access('http://192.0.2.9:8080', true), '192.0.2.1')).toBe(true)
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].every(ip => isProtected(access('http://a'), ip))).toBe(true)
  const origin = (from: string, publicUrl: string) => isSameSite({ headers: { origin: from } }, access(publicUrl))
  expect(origin('https://p.example', 'https://p.example/x')).toBe(true)
  expect(origin('http://localhost', 'https://p.example/x')).toBe(false)
  expect(origin('http://localhost:8080', 'http://0.0.0.0:8080')).toBe(true)
})

test('tokens read users and sessions, those of one partner its users alone, and revoke themselves', async () => {
  const partner = (await run('partners', 'create', 'A')).id!
  const { link } = await run('users', 'invite', 'p@example.org', '--role', 'admin', '--partner', partner)
  await post(pathOf(link), { password })
  const all = adminClient(world, await createToken(world, ['users:read']))
  const secret = await createToken(world, ['users:read'], ['--partner', partner])
  const own = adminClient(world, secret)
  const emails = async (client: AdminClient) =>
    ((await client.get('/users')).body.data as { email: string }[]).map(({ email }) => email)
  expect(await emails(all)).toContain('o@example.org')
  expect(await emails(own)).toEqual(['p@example.org'])
  const [owner] = (await all.get('/users')).body.data as { id: string }[]
  expect(await all.get(`/users/${owner!.id}`)).toMatchObject({ status: 200, body: { email: 'o@example.org' } })
  const foreign = await own.get(`/users/${owner!.id}`)
  expect(foreign.status).toBe(404)
  expect(foreign.text.replaceAll(owner!.id, 'user_x').replace(/"request_id":"[^"]*"/, '')).toBe(
    (await own.get('/users/user_x')).text.replace(/"request_id":"[^"]*"/, ''),
  )
  expect((await all.get('/sessions?user=p@example.org')).body.data).toHaveLength(1)
  expect(await own.get('/sessions')).toMatchObject({ status: 403 })
  const [self] = (await own.get('/tokens')).body.data as { id: string }[]
  expect(await all.send('DELETE', `/tokens/${self!.id}`)).toMatchObject({ status: 404 })
  expect(await own.send('DELETE', `/tokens/${self!.id}`)).toMatchObject({ status: 200, body: { state: 'revoked' } })
  expect(await own.get('/tokens')).toMatchObject({ status: 401 })
})

test('unknown pages are errors, and a body that is not a form is an empty one', async () => {
  expect(await get('/portal/nothing')).toMatchObject({
    status: 303,
    headers: { location: '/portal/sign-in?to=%2Fportal%2Fnothing' },
  })
  const cookie = cookieOf(await post('/portal/sign-in', { email: 'o@example.org', password }))
  for (const path of ['/portal/nothing', '/portal/nothing/keys', '/portal/profile/nothing', '/console/nothing'])
    expect(await get(path, cookie)).toMatchObject({ status: 404 })
  const refused = await send(world.url, '/portal/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(refused.status).toBe(401)
})
