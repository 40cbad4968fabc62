/** Return, proof, profile, team and staff: accounts, roles, tokens and sessions on pages. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIdentity } from '../composed.ts'
import { startWorld } from '../world.ts'
import { adminClient } from './admin-client.ts'
import { createAuthenticator, type PasskeyOptions } from './authenticator.ts'
import { pageClient } from './page-client.ts'

const world = await startWorld({}, 'empty')
const { run, get, post, json, open, pathOf, cookieOf, password } = pageClient(world)
const identity = openIdentity(world.config)
const cookies: Record<string, string> = {}
afterAll(async () => {
  await identity.close()
  await world.close()
})
beforeAll(async () => {
  const { link } = await run('users', 'link', '--owner')
  cookies.owner = cookieOf(await post(pathOf(link), { email: 'owner@example.org', name: 'Olga', password }))
  cookies.admin = cookieOf(await open('admin@example.org', '--role', 'admin', '--partner', 'tester'))
  cookies.member = cookieOf(await open('member@example.org', '--role', 'member', '--partner', 'tester'))
})

const userOf = async (email: string) => (await identity.people.users.byEmail(email))!
const send = (role: string, path: string, fields: Parameters<typeof post>[1] = {}) =>
  post(path, fields, { cookie: cookies[role]! })
/** Ends the proofs of a user's sessions. */
const forgetProof = async (email: string) => {
  for (const { id } of await identity.people.sessions.list((await userOf(email)).id))
    await identity.people.sessions.seen(id, { seenMs: Date.now(), provedMs: 1 })
}
const linkIn = (text: string): string => new URL(/http:\/\/[^<\s]+\/portal\/link\/[\w-]{43}/.exec(text)![0]).pathname

test('the profile changes name, zone and mails from the revision that was read, and shows both values after a lost update', async () => {
  const page = await get('/portal/profile', cookies.admin)
  for (const text of ['Notifications', 'Passkeys', 'Authenticator app', 'this one', 'cannot send e-mail yet'])
    expect(page.text).toContain(text)
  const { revision } = await userOf('admin@example.org')
  const account = { revision: String(revision), name: 'Ann', zone: 'Europe/Madrid' }
  expect(await send('admin', '/portal/profile/account', account)).toMatchObject({ status: 303 })
  expect(await userOf('admin@example.org')).toMatchObject({
    name: 'Ann',
    zone: 'Europe/Madrid',
    revision: revision + 1,
  })
  const lost = await send('admin', '/portal/profile/account', { ...account, name: 'Bea' })
  expect(lost.status).toBe(412)
  expect(lost.text).toContain('value="Bea"')
  expect(lost.text).toContain('now “Ann”.')
  const long = await send('admin', '/portal/profile/account', { ...account, name: 'x'.repeat(201) })
  expect(long).toMatchObject({ status: 422, text: expect.stringContaining('Name must have at most 200 characters.') })
  expect(page.text).toMatch(/id="field-name"[^>]* maxlength="200"/)
  const wrong = await send('admin', '/portal/profile/account', { revision: String(revision + 1), zone: 'Mars/Base' })
  expect(wrong).toMatchObject({ status: 422, text: expect.stringContaining('Mars/Base does not exist') })
  const choice = { revision: String(revision + 1), mails: ['key.expiring', 'statement.closed'] }
  expect(await send('admin', '/portal/profile/mails', choice)).toMatchObject({ status: 303 })
  const { mails } = await userOf('admin@example.org')
  expect(mails).toMatchObject({ 'quota.threshold_reached': false, 'upgrade.approved': false })
  expect(Object.keys(mails!)).not.toContain('key.expiring')
  const security = { revision: String(revision + 2), mails: ['key.created'] }
  expect(await send('admin', '/portal/profile/mails', security)).toMatchObject({ status: 422 })
  expect((await get('/portal/profile', cookies.member)).text).not.toContain('Notifications')
})

test('the result of a form is shown whatever the length of a name', async () => {
  const user = await userOf('member@example.org')
  const account = { revision: String(user.revision), name: '😀'.repeat(200) }
  expect(await send('member', '/portal/profile/account', account)).toMatchObject({ status: 303 })
  await send('admin', '/portal/prove', { password })
  const change = { user: user.id, revision: String(user.revision + 1), role: 'admin' }
  const changed = await send('admin', '/portal/tester/team/role', change)
  expect(changed).toMatchObject({ status: 303, headers: { location: '/portal/tester/team' } })
  expect(cookieOf(changed).length).toBeLessThan(4096)
  const { revision } = await userOf('member@example.org')
  await run('users', 'set', user.id, '--name', 'Max')
  await run('users', 'set', user.id, '--role', 'member', '--partner', 'tester')
  expect(revision).toBe(user.revision + 2)
  cookies.member = cookieOf(await post('/portal/sign-in', { email: 'member@example.org', password }))
})

test('credentials need a proof; the secret of an app comes as a picture, and a wrong code asks again', async () => {
  await forgetProof('member@example.org')
  for (const task of ['password', 'totp', 'recovery-codes', 'totp-remove', 'passkey-remove', 'email'])
    expect(await send('member', `/portal/profile/${task}`, { password: 'another password' })).toMatchObject({
      status: 303,
      headers: { location: '/portal/prove?to=/portal/profile' },
    })
  await send('member', '/portal/prove', { password })
  const page = await send('member', '/portal/profile/totp')
  expect(page.text).toMatch(/<div class="qr"[^>]*><svg /)
  const ticket = /name="ticket" value="([\w-]+)"/.exec(page.text)![1]!
  const again = await send('member', '/portal/profile/totp-code', { ticket, code: '000' })
  expect(again).toMatchObject({ status: 401, text: expect.stringContaining(`value="${ticket}"`) })
  const app = new TOTP({ secret: Secret.fromBase32(/<code>(\w+)<\/code>/.exec(page.text)![1]!) })
  const codes = await send('member', '/portal/profile/totp-code', { ticket, code: app.generate() })
  expect(codes.text).toContain('Store the codes now.')
  await send('member', '/portal/profile/totp-remove')
  const short = await send('member', '/portal/profile/password', { password: 'short' })
  expect(short).toMatchObject({ status: 422, text: expect.stringContaining('12 to 200 characters') })
  expect(short.text).not.toContain('value="short"')
})

test('a new e-mail address counts when its link is opened by the user who asked for it', async () => {
  const user = await userOf('admin@example.org')
  const [token, digest] = ['e'.repeat(43), identity.opaque.digest('e'.repeat(43))]
  const link = { purpose: 'email', userId: user.id, email: 'ann@example.org', createdMs: 1 } as const
  const record = {
    audit: { atMs: 1, actor: { kind: 'system', id: 't', via: 'system' }, action: 'x', target: 'x' },
  } as const
  await identity.people.links.add({ ...link, expiresMs: Date.now() + 60_000 }, digest, record)
  for (const cookie of [undefined, cookies.member]) {
    const page = await get(`/portal/link/${token}`, cookie)
    expect(page).toMatchObject({ status: 403, text: expect.stringContaining('Sign in first') })
    const spent = await post(`/portal/link/${token}`, {}, cookie === undefined ? {} : { cookie })
    expect(spent.status).toBe(403)
  }
  expect((await get(`/portal/link/${token}`, cookies.admin)).text).toContain('ann@example.org')
  const confirmed = await send('admin', `/portal/link/${token}`)
  expect(confirmed).toMatchObject({ status: 303 })
  cookies.admin = cookieOf(confirmed)
  expect(await identity.people.users.get(user.id)).toMatchObject({ email: 'ann@example.org' })
  expect(await send('admin', `/portal/link/${token}`)).toMatchObject({ status: 410 })
})

test('sessions are listed with their browsers, and end one at a time or together', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const signIn = () => post('/portal/sign-in', { email: 'member@example.org', password }, { 'user-agent': agent })
  const [one, two] = [cookieOf(await signIn()), cookieOf(await signIn())]
  expect((await get('/portal/profile', cookies.member)).text).toContain('Firefox on Linux')
  const sessions = await identity.people.sessions.list((await userOf('member@example.org')).id)
  await send('member', '/portal/profile/end-session', { id: sessions[0]!.id })
  const states = await Promise.all([one, two].map(async cookie => (await get('/portal/profile', cookie)).status))
  expect(states.sort()).toEqual([200, 303])
  const [foreign] = await identity.people.sessions.list((await userOf('owner@example.org')).id)
  const refused = await send('member', '/portal/profile/end-session', { id: foreign!.id })
  const unknown = await send('member', '/portal/profile/end-session', { id: 'session_x' })
  expect([refused.status, unknown.status]).toEqual([404, 404])
  expect(await identity.people.sessions.get(foreign!.id)).toBeDefined()
  await send('member', '/portal/profile/end-sessions')
  expect(await identity.people.sessions.list((await userOf('member@example.org')).id)).toHaveLength(1)
})

test('an admin invites, withdraws, gives roles and removes; the activity names no other partner', async () => {
  const team = '/portal/tester/team'
  await forgetProof('ann@example.org')
  const fields = { email: 'Cleo@example.org', role: 'member' }
  expect((await send('admin', `${team}/invite`, fields)).headers.location).toMatch(/^\/portal\/prove\?to=/)
  await send('admin', '/portal/prove', { password })
  const wrong = await send('admin', `${team}/invite`, { ...fields, role: 'owner' })
  expect(wrong).toMatchObject({
    status: 422,
    text: expect.stringContaining('does not exist here. The roles are admin, member.'),
  })
  const shown = await send('admin', `${team}/invite`, fields)
  expect(shown.text).toContain('Give this link to the person.')
  expect((await get(team, cookies.admin)).text).toContain('Open invitations')
  const path = linkIn(shown.text)
  expect((await get(path)).text).toContain('You have been invited as a member of Tester.')
  await send('admin', `${team}/uninvite`, { email: 'cleo@example.org' })
  expect(await get(path)).toMatchObject({ status: 410 })
  const again = linkIn((await send('admin', `${team}/invite`, fields)).text)
  const joined = await post(again, { name: 'Cleo' })
  // Without a password, the profile is where to set one.
  expect(joined).toMatchObject({ status: 303, headers: { location: '/portal/profile' } })
  const other = (await run('partners', 'create', 'Secret other')).id!
  await run('users', 'set', 'cleo@example.org', '--role', 'member', '--partner', other)
  const cleo = await userOf('cleo@example.org')
  const change = { user: cleo.id, revision: String(cleo.revision) }
  expect(await send('admin', `${team}/role`, { ...change, role: 'admin' })).toMatchObject({ status: 303 })
  expect(await send('admin', `${team}/role`, { ...change, role: 'member' })).toMatchObject({ status: 412 })
  expect((await userOf('cleo@example.org')).memberships).toContainEqual({ partnerId: 'tester', role: 'admin' })
  const { revision } = await userOf('cleo@example.org')
  expect(await send('admin', `${team}/remove`, { ...change, revision: String(revision) })).toMatchObject({
    status: 303,
  })
  expect((await userOf('cleo@example.org')).memberships).toEqual([{ partnerId: other, role: 'member' }])
  const last = await userOf('ann@example.org')
  const own = { user: last.id, revision: String(last.revision) }
  for (const [path, sent] of [
    ['remove', own],
    ['role', { ...own, role: 'member' }],
  ] as const)
    expect(await send('admin', `${team}/${path}`, sent)).toMatchObject({
      status: 409,
      text: expect.stringContaining('Make another user an admin first, or ask the operator.'),
    })
  for (const page of [`${team}`, '/portal/tester/activity'])
    expect((await get(page, cookies.admin)).text).not.toContain(other)
  expect((await get('/portal/tester/activity', cookies.admin)).text).toContain('user.change')
  const key = await run('keys', 'create', '--partner', 'tester', '--package', 'growth', '--notes', 'x')
  await run('keys', 'set', key.id!, '--notes', 'y')
  await run('partners', 'note', 'tester', 'Pays late.')
  const json = await get('/portal/tester/activity?format=json', cookies.admin)
  const lines: Record<string, string>[] = JSON.parse(json.text)
  const ann = (await userOf('ann@example.org')).id
  expect(lines.find(line => line.actor_id === ann)).toMatchObject({ via: 'portal', address: expect.any(String) })
  const foreign = { email: 'foreign@example.org', role: 'member' }
  cookies.foreign = cookieOf(await open(foreign.email, '--role', 'admin', '--partner', other))
  const invitation = linkIn((await send('admin', `${team}/invite`, foreign)).text)
  expect(await get(invitation, cookies.admin)).toMatchObject({ status: 403 })
  const refused = await send('admin', invitation, { password })
  expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('only its user can accept it') })
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect((await get(invitation, cookies.foreign)).text).not.toContain('New password')
  expect(await send('foreign', invitation)).toMatchObject({ status: 303, headers: { location: '/portal' } })
  // Notes are the operator's.
  expect(lines.filter(({ target }) => target === key.id).map(({ action }) => action)).toEqual(['key.create'])
  expect(json.text).not.toContain('note')
  const members = await get(team, cookies.member)
  expect(members.text).toContain('ann@example.org')
  expect(members.text).not.toContain('Invite a person')
  const { id } = await userOf('owner@example.org')
  expect(await send('admin', `${team}/remove`, { user: id, revision: '1' })).toMatchObject({ status: 404 })
})

test('an owner invites staff, changes roles and states, ends sessions and erases; the last owner stays', async () => {
  const shown = await send('owner', '/console/staff/invite', { email: 'dan@example.org', role: 'operator' })
  const dan = cookieOf(await post(linkIn(shown.text), { password }))
  const user = await userOf('dan@example.org')
  const path = `/console/staff/${user.id}`
  expect((await get('/console/staff', cookies.owner)).text).toContain('dan@example.org')
  expect((await get(path, cookies.owner)).text).toContain('Erase the user')
  expect(await get('/console/staff', dan)).toMatchObject({ status: 403 })
  const own = await userOf('owner@example.org')
  expect((await get(`/console/staff/${own.id}`, dan)).text).not.toContain('Erase the user')
  const sessions = await get(`${path}?list=sessions&format=json`, cookies.owner)
  expect(JSON.parse(sessions.text)).toMatchObject([{ id: expect.any(String), user_id: user.id }])
  const raise = { role: 'owner', revision: String(user.revision) }
  expect((await post(`${path}/role`, raise, { cookie: dan })).status).toBe(403)
  const last = await send('owner', `/console/staff/${own.id}/role`, { role: 'support', revision: String(own.revision) })
  expect(last).toMatchObject({ status: 409, text: expect.stringContaining('last active owner') })
  expect(await send('owner', `${path}/role`, { ...raise, role: 'support' })).toMatchObject({ status: 303 })
  expect(await get(path, dan)).toMatchObject({ status: 303 })
  const link = linkIn((await send('owner', `${path}/link`, { reset: 'yes' })).text)
  const back = cookieOf(await post(link, {}))
  expect(await get('/portal/profile', back)).toMatchObject({ status: 200 })
  await send('owner', `${path}/end-sessions`)
  expect(await get('/portal/profile', back)).toMatchObject({ status: 303 })
  const { revision } = await userOf('dan@example.org')
  await send('owner', `${path}/state`, { state: 'disabled', revision: String(revision) })
  expect(await userOf('dan@example.org')).toMatchObject({ state: 'disabled' })
  expect(await send('owner', `${path}/erase`, { email: 'other@example.org' })).toMatchObject({ status: 422 })
  expect(await send('owner', `${path}/erase`, { email: 'Dan@example.org' })).toMatchObject({ status: 303 })
  expect(await identity.people.users.get(user.id)).toBeUndefined()
})

test('the audit names users, has the request of each change, and is filtered by day and exported', async () => {
  const page = await get('/console/audit?action=user.erase', cookies.owner)
  expect(page.text).toMatch(/data-label="By">Olga <span[^>]*>\(portal\)/)
  expect(page.text).toMatch(/data-label="Request"><code class="whole" title="[\w-]{36}">/)
  expect(page.text).toContain('name="partner"')
  expect(page.text).toContain('User erased <code')
  const json = await get('/console/audit?action=user.erase&format=json', cookies.owner)
  expect(JSON.parse(json.text)).toMatchObject([{ action: 'user.erase', request_id: expect.any(String) }])
  expect((await get('/console/audit?from=2999-01-01', cookies.owner)).text).toContain('No changes match')
  expect(await get('/console/audit?to=2026-02-30', cookies.owner)).toMatchObject({
    status: 400,
    text: expect.stringContaining('This is not a date.'),
  })
})

test('a token is shown once, works with its permissions, and ends when it is revoked', async () => {
  const form = { name: 'CRM', permissions: ['keys:read', 'users:read'], partner_id: 'tester', expires_at: '' }
  const wrong = await send('owner', '/console/staff/tokens/new', { ...form, permissions: [], expires_at: '2000-01-01' })
  expect(wrong).toMatchObject({ status: 422, text: expect.stringContaining('A token needs Permissions.') })
  const made = await send('owner', '/console/staff/tokens/new', form)
  const secret = /peri_admin_\w+/.exec(made.text)![0]
  const client = adminClient(world, secret)
  expect(await client.get('/keys')).toMatchObject({ status: 200 })
  expect(await client.get('/audit')).toMatchObject({ status: 403 })
  const list = await get('/console/staff', cookies.owner)
  expect(list.text).toContain('CRM')
  expect(list.text).not.toContain(secret)
  const exported = async (name: string) => get(`/console/staff?list=${name}&format=csv`, cookies.owner)
  expect((await exported('tokens')).text).toMatch(/^id,name,.*CRM/s)
  expect((await exported('sessions')).text).toMatch(/^id,user_id,created_at/)
  const id = /token_[\w-]+/.exec(list.text)![0]
  await forgetProof('owner@example.org')
  expect((await send('owner', '/console/staff/tokens/revoke', { id })).headers.location).toMatch(/^\/portal\/prove/)
  await send('owner', '/portal/prove', { password })
  await send('owner', '/console/staff/tokens/revoke', { id })
  expect(await client.get('/keys')).toMatchObject({ status: 401 })
  const { audit } = await run('audit', 'list', '--actor', (await userOf('owner@example.org')).id)
  expect(JSON.stringify(audit)).toContain('token.create')
  expect(JSON.stringify(audit)).not.toMatch(/CRM|peri_admin/)
})

test('a sign-in leads back to the page that was wanted, with its query', async () => {
  const wanted = await get('/portal/tester/activity?action=key.create')
  const to = '/portal/tester/activity?action=key.create'
  expect(wanted).toMatchObject({ status: 303, headers: { location: `/portal/sign-in?to=${encodeURIComponent(to)}` } })
  const page = await get(wanted.headers.location!)
  expect(page.text).toContain('name="to" value="/portal/tester/activity?action=key.create"')
  const refused = await post('/portal/sign-in', { email: 'owner@example.org', password: 'wrong password', to })
  expect(refused.text).toContain('name="to" value="/portal/tester/activity?action=key.create"')
  const back = await post('/portal/sign-in', { email: 'owner@example.org', password, to })
  expect(back).toMatchObject({ status: 303, headers: { location: to } })
  const again = await get(wanted.headers.location!, cookieOf(back))
  expect(again).toMatchObject({ status: 303, headers: { location: to } })
})

test('the start leads staff to the console and a user to the only partner, or lists the partners', async () => {
  const staff = cookieOf(await open('staff@example.org', '--role', 'support'))
  expect(await get('/portal', staff)).toMatchObject({ status: 303, headers: { location: '/console' } })
  const other = (await run('partners', 'create', 'Acme <Ltd>')).id!
  const user = cookieOf(await open('user@example.org', '--role', 'member', '--partner', 'tester'))
  expect(await get('/portal', user)).toMatchObject({ status: 303, headers: { location: '/portal/tester' } })
  const { link } = await run('users', 'invite', 'user@example.org', '--role', 'member', '--partner', other)
  const both = cookieOf(await post(pathOf(link!), {}, { cookie: user }))
  const list = await get('/portal', both)
  expect(list.status).toBe(200)
  expect(list.text).toContain('<a href="/portal/tester"><span>Tester</span>')
  expect(list.text).toContain(`<a href="/portal/${other}"><span>Acme &lt;Ltd&gt;</span>`)
  for (const partner of ['tester', other]) await run('users', 'set', 'user@example.org', '--leave', partner)
  const alone = cookieOf(await post('/portal/sign-in', { email: 'user@example.org', password }))
  expect((await get('/portal', alone)).text).toContain('You are not a member of any organisation')
})

test('a proof by password or passkey counts for ten minutes and leads back', async () => {
  const cookie = cookieOf(await open('prove@example.org', '--role', 'support'))
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
  const stranger = cookieOf(await post('/portal/sign-in', { email: 'owner@example.org', password }))
  expect(await prove(stranger)).toMatchObject({ status: 401 })
  expect(await prove('')).toMatchObject({ status: 401 })
  expect(await provedMs()).toBe(1)
  expect(await prove(cookie)).toMatchObject({ status: 200, body: { location: '/portal' } })
  expect(await provedMs()).toBeGreaterThan(1)
})

test('without an SMTP server, a forgotten password is a matter of the operator', async () => {
  const page = await get('/portal/forgotten')
  expect(page.text).toContain('periplus users link')
  expect(await post('/portal/forgotten', { email: 'owner@example.org' })).toMatchObject({ status: 303 })
  expect(await run('audit', 'list', '--actor', 'portal')).toEqual({ audit: [] })
})

interface PasskeyStep {
  readonly ticket: string
  readonly options: PasskeyOptions
}
