/** Links by mail, received by a real SMTP server. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import type { User } from '../../src/domain/user.ts'
import { acceptLink } from '../../src/usecases/admin/accept-link.ts'
import { periplus } from '../cli.ts'
import { openIdentity } from '../composed.ts'
import { eventually } from '../eventually.ts'
import { pageClient } from '../management/page-client.ts'
import { scratch, startWorld } from '../world.ts'

const received: Email[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: async (stream, _session, done) => {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    received.push(await PostalMime.parse(Buffer.concat(parts)))
    done()
  },
})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const { port } = server.server.address() as AddressInfo

const smtp = { 'mail.host': '127.0.0.1', 'mail.port': port, 'mail.from': 'Places <places@example.org>' }
const world = await startWorld(smtp, 'empty')
const { get, post, pathOf, cookieOf, password } = pageClient(world)
const folder = scratch()
const identity = openIdentity(world.config)
const file = join(folder.path, 'mail.yaml')
writeFileSync(file, `mail: {host: 127.0.0.1, port: ${port}, from: "Places <places@example.org>"}\n`)
afterAll(async () => {
  await identity.close()
  folder.remove()
  await world.close()
  await new Promise<void>(resolve => server.close(() => resolve()))
})

const run = (...args: string[]) => periplus([...args, '--data', world.config.data, '--config', file])

test('an invitation and a link for recovery arrive by mail and sign in', async () => {
  const invited = await run('users', 'invite', 'Ann@example.org', '--role', 'owner', '--json')
  expect(invited.json()).toMatchObject({ mail: 'sent', email: 'ann@example.org' })
  expect(received[0]).toMatchObject({ from: { address: 'places@example.org' }, to: [{ address: 'ann@example.org' }] })
  const [link] = /http\S+\/portal\/link\/\S+/.exec(received[0]!.text!)!
  expect(link).toBe(invited.json<{ link: string }>().link)
  const browser = { requestId: 'r', address: '192.0.2.1' }
  const token = link!.split('/').at(-1)!
  expect(await acceptLink(identity, browser, { token })).toMatchObject({ user: { staffRole: 'owner' } })
  expect((await run('users', 'link', 'ann@example.org')).stdout).toContain('It was sent by mail to ann@example.org.')
  expect(received[1]).toMatchObject({ subject: 'Sign in to Periplus', to: [{ address: 'ann@example.org' }] })
})

test('who forgot the password gets a link by mail; unknown addresses get the same answer', async () => {
  expect((await get('/portal/forgotten')).text).toContain('name="email"')
  const answers = await Promise.all(
    ['nobody@example.org', 'Ann@Example.org'].map(email => post('/portal/forgotten', { email })),
  )
  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers['set-cookie']}`)).size).toBe(1)
  expect((await post('/portal/forgotten', { email: 'no address' })).status).toBe(422)
  await eventually(() => expect(received).toHaveLength(3))
  expect(received[2]).toMatchObject({ to: [{ address: 'ann@example.org' }] })
  const [link] = /\/portal\/link\/\S+/.exec(received[2]!.text!)!
  const opened = await post(link!, { password: 'correct horse battery' })
  expect(opened).toMatchObject({ status: 303, headers: { location: '/portal' } })
})

test('a link is printed although the mail cannot be sent', async () => {
  writeFileSync(file, 'mail: {host: 127.0.0.1, port: 1, from: places@example.org}\n')
  const result = await run('users', 'invite', 'bea@example.org', '--role', 'support', '--json')
  expect(result.json()).toMatchObject({ mail: 'failed', link: expect.stringContaining('/portal/link/') })
})

/**
 * Opens a link that was shown instead of mailed; returns the session's cookie. The CLI's mail server is unreachable
 * here.
 */
async function openShown(email: string): Promise<{ readonly cookie: string; readonly user: User }> {
  const { link } = (await run('users', 'invite', email, '--role', 'support', '--json')).json<{ link: string }>()
  const opened = await post(pathOf(link), { password })
  return { cookie: cookieOf(opened), user: (await identity.people.users.byEmail(email))! }
}
/** Returns the path of the link in the next mail to an address. */
async function mailedLink(email: string, request: () => Promise<unknown>): Promise<string> {
  const before = received.length
  await request()
  await eventually(() => expect(received.length).toBeGreaterThan(before))
  expect(received.at(-1)!.to).toMatchObject([{ address: email }])
  return /\/portal\/link\/[\w-]+/.exec(received.at(-1)!.text!)![0]
}
const record = {
  audit: { atMs: 1, actor: { kind: 'system', id: 't', via: 'system' }, action: 'x', target: 'x' },
} as const
/** Adds a passkey, an authenticator app and a recovery code to a user. */
async function addFactors(userId: string): Promise<void> {
  const { credentials } = identity.people
  const passkey = { id: `p-${userId}`, userId, publicKey: Buffer.alloc(1), counter: 0, name: 'X', createdMs: 1 }
  await credentials.addPasskey(passkey, record)
  const totp = { secret: Buffer.alloc(40), step: 1 }
  await credentials.change(userId, { totp, recoveryCodes: [Buffer.alloc(32)] }, record)
}

test('the first mailed link of an account made by a shown one removes all that the account has so far (R-90)', async () => {
  const { cookie, user } = await openShown('cleo@example.org')
  expect(user.unconfirmed).toBe(true)
  await addFactors(user.id)
  const other = (await run('users', 'link', user.id, '--json')).json<{ link: string }>()
  const recover = () => post('/portal/forgotten', { email: user.email })
  const link = await mailedLink(user.email, recover)
  expect((await get(link)).text).toContain('passkeys, authenticator app and recovery codes that it has are removed')
  expect(await post(link, {})).toMatchObject({ status: 303, headers: { location: '/portal/profile' } })
  const owned = (await identity.people.users.get(user.id))!
  expect(owned.factors).toEqual({ password: false, totp: false, passkeys: 0, recoveryCodes: 0, oidc: false })
  expect(owned).not.toHaveProperty('unconfirmed')
  expect((await get('/portal/profile', cookie)).status).toBe(303)
  expect((await post('/portal/sign-in', { email: user.email, password })).status).toBe(401)
  expect((await get(pathOf(other.link))).status).toBe(410)
})

test('a user who opens a mailed link while signed in confirms the address and keeps everything', async () => {
  const { cookie, user } = await openShown('dora@example.org')
  expect((await get('/portal/profile', cookie)).text).toContain('not confirmed')
  const ask = () => post('/portal/profile/email', { email: user.email }, { cookie })
  const link = await mailedLink(user.email, ask)
  expect((await post(link, {})).status).toBe(403)
  const confirmed = await post(link, {}, { cookie })
  expect(confirmed.status).toBe(303)
  const after = (await identity.people.users.get(user.id))!
  expect(after).not.toHaveProperty('unconfirmed')
  expect(after.factors.password).toBe(true)
  const profile = await get('/portal/profile', cookieOf(confirmed))
  expect(profile.text).not.toContain('not confirmed')
})

test('an account made by a mailed invitation keeps its second factor in a recovery', async () => {
  writeFileSync(file, `mail: {host: 127.0.0.1, port: ${port}, from: "Places <places@example.org>"}\n`)
  const link = await mailedLink('emil@example.org', () =>
    run('users', 'invite', 'emil@example.org', '--role', 'support'),
  )
  await post(link, { password })
  const user = (await identity.people.users.byEmail('emil@example.org'))!
  expect(user).not.toHaveProperty('unconfirmed')
  await addFactors(user.id)
  const recovery = await mailedLink(user.email, () => post('/portal/forgotten', { email: user.email }))
  const step = await post(recovery, {})
  expect(step.headers).not.toHaveProperty('set-cookie', expect.arrayContaining([expect.stringMatching(/^periplus=\w/)]))
  expect(await identity.people.users.get(user.id)).toMatchObject({
    factors: { totp: true, passkeys: 1, password: true },
  })
})

test('a changed address is reported to the earlier one', async () => {
  const link = await mailedLink('finn@example.org', () =>
    run('users', 'invite', 'finn@example.org', '--role', 'support'),
  )
  const cookie = cookieOf(await post(link, { password }))
  const ask = () => post('/portal/profile/email', { email: 'finn@new.example' }, { cookie })
  const confirm = await mailedLink('finn@new.example', ask)
  const before = received.length
  expect((await post(confirm, {}, { cookie })).status).toBe(303)
  await eventually(() => expect(received).toHaveLength(before + 1))
  expect(received.at(-1)).toMatchObject({
    to: [{ address: 'finn@example.org' }],
    subject: 'Your e-mail address at Periplus was changed',
    text: expect.stringContaining('finn@new.example'),
  })
})
