/** The pages between which a sign-in or a proof leads: start, return, proof, forgotten password. */
import { afterAll, expect, test } from 'vitest'
import { safeTarget } from '../../src/management/portal/target.ts'
import { openIdentity } from '../composed.ts'
import { startWorld } from '../world.ts'
import { createAuthenticator, type PasskeyOptions } from './authenticator.ts'
import { pageClient } from './page-client.ts'

const world = await startWorld({}, 'empty')
afterAll(() => world.close())
const { run, get, post, open, pathOf, cookieOf, json, password } = pageClient(world)
await run('users', 'link', '--owner').then(({ link }) => post(pathOf(link), { email: 'o@example.org', password }))

test('a sign-in leads back to the page that was wanted, with its query', async () => {
  const wanted = await get('/portal/tester/activity?action=key.create')
  const to = '/portal/tester/activity?action=key.create'
  expect(wanted).toMatchObject({ status: 303, headers: { location: `/portal/sign-in?to=${encodeURIComponent(to)}` } })
  const page = await get(wanted.headers.location!)
  expect(page.text).toContain('name="to" value="/portal/tester/activity?action=key.create"')
  const refused = await post('/portal/sign-in', { email: 'o@example.org', password: 'wrong password', to })
  expect(refused.text).toContain('name="to" value="/portal/tester/activity?action=key.create"')
  const back = await post('/portal/sign-in', { email: 'o@example.org', password, to })
  expect(back).toMatchObject({ status: 303, headers: { location: to } })
  const again = await get(wanted.headers.location!, cookieOf(back))
  expect(again).toMatchObject({ status: 303, headers: { location: to } })
})

test('no address leads elsewhere than to a page of the portal or the console', () => {
  const kept = ['/portal', '/portal/p1/usage?by=day&zone=UTC', '/console', '/console/staff']
  expect(kept.map(safeTarget)).toEqual(kept)
  const others = [
    '',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/portal',
    '/portalx',
    '/docs',
    '/admin/v1',
  ]
  const passing = [
    '/portal/sign-in',
    '/portal/sign-out',
    '/portal/prove?to=/console',
    '/portal/link/a',
    '/portal/forgotten',
  ]
  const odd = ['/portal/../..//evil.example', 'javascript:alert(1)', '/portal/..', 'http:/portal', 'http://[']
  for (const text of [undefined, ...others, ...passing, ...odd])
    expect([text, safeTarget(text)]).toEqual([text, '/portal'])
  expect(safeTarget('/portal/p\r\nSet-Cookie: a=b')).toBe('/portal/pSet-Cookie:%20a=b')
})

test('the start leads staff to the console and a user to the only partner, or lists the partners', async () => {
  const staff = cookieOf(await open('staff@example.org', '--role', 'support'))
  expect(await get('/portal', staff)).toMatchObject({ status: 303, headers: { location: '/console' } })
  const other = (await run('partners', 'create', 'Acme <Ltd>')).id!
  const user = cookieOf(await open('user@example.org', '--role', 'member', '--partner', 'tester'))
  expect(await get('/portal', user)).toMatchObject({ status: 303, headers: { location: '/portal/tester' } })
  const both = cookieOf(await open('user@example.org', '--role', 'admin', '--partner', other))
  const list = await get('/portal', both)
  expect(list.status).toBe(200)
  expect(list.text).toContain('<a href="/portal/tester"><span>Tester</span>')
  expect(list.text).toContain(`<a href="/portal/${other}"><span>Acme &lt;Ltd&gt;</span>`)
  for (const partner of ['tester', other]) await run('users', 'set', 'user@example.org', '--leave', partner)
  const alone = cookieOf(await post('/portal/sign-in', { email: 'user@example.org', password }))
  expect((await get('/portal', alone)).text).toContain('You belong to no organisation')
})

test('a proof by password or passkey counts for ten minutes and leads back', async () => {
  const cookie = cookieOf(await open('prove@example.org', '--role', 'support'))
  const identity = openIdentity(world.config)
  const user = (await identity.people.users.byEmail('prove@example.org'))!
  const [session] = await identity.people.sessions.list(user.id)
  const forgetProof = () => identity.people.sessions.seen(session!.id, { seenMs: Date.now(), provedMs: 1 })
  const provedMs = async () => (await identity.people.sessions.get(session!.id))!.provedMs!
  await forgetProof()
  expect(await get('/portal/prove?to=/console/audit', cookie)).toMatchObject({ status: 200 })
  const wrong = await post('/portal/prove', { password: 'wrong password', to: '/console/audit' }, { cookie })
  expect(wrong.status).toBe(401)
  expect(wrong.text).toContain('name="to" value="/console/audit"')
  expect(await provedMs()).toBe(1)
  const right = await post('/portal/prove', { password, to: '/console/audit' }, { cookie })
  expect(right).toMatchObject({ status: 303, headers: { location: '/console/audit' } })
  expect(await provedMs()).toBeGreaterThan(1)
  expect((await get('/console/audit', `${cookie}; ${cookieOf(right)}`)).text).toContain('Confirmed: you can continue')
  const authenticator = createAuthenticator(`http://localhost:${new URL(world.url).port}`)
  const begin = (await json('/portal/profile/passkeys/options', {}, cookie)).body as PasskeyStep
  const { ticket } = begin
  await json('/portal/profile/passkeys', { ticket, response: authenticator.register(begin.options) }, cookie)
  await forgetProof()
  const prove = async (sent: string) => {
    const { body } = await json('/portal/sign-in/passkey/options', {}, '')
    const { ticket: next, options } = body as PasskeyStep
    return json('/portal/prove/passkey', { ticket: next, response: authenticator.sign(options), to: '//evil' }, sent)
  }
  const stranger = cookieOf(await post('/portal/sign-in', { email: 'o@example.org', password }))
  expect(await prove(stranger)).toMatchObject({ status: 401 })
  expect(await prove('')).toMatchObject({ status: 401 })
  expect(await provedMs()).toBe(1)
  expect(await prove(cookie)).toMatchObject({ status: 200, body: { location: '/portal' } })
  expect(await provedMs()).toBeGreaterThan(1)
  await identity.close()
})

interface PasskeyStep {
  readonly ticket: string
  readonly options: PasskeyOptions
}

test('without an SMTP server, a forgotten password is a matter of the operator', async () => {
  const page = await get('/portal/forgotten')
  expect(page.text).toContain('periplus users link')
  expect(await post('/portal/forgotten', { email: 'o@example.org' })).toMatchObject({ status: 303 })
  expect(await run('audit', 'list', '--actor', 'portal')).toEqual({ audit: [] })
})
