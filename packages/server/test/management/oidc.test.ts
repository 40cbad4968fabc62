/** Sign-in by OpenID Connect with a real provider, over HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { freePort, startWorld } from '../world.ts'
import { startProvider } from './provider.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const redirectUri = `${origin}/portal/sign-in/openid/callback`
const provider = await startProvider({ id: 'periplus', secret: 'a'.repeat(32), redirectUri })
const folder = mkdtempSync(join(tmpdir(), 'periplus-oidc-'))
const clientSecretFile = join(folder, 'client-secret')
writeFileSync(clientSecretFile, `${'a'.repeat(32)}\n`)
const settings = { issuer: provider.issuer, clientId: 'periplus', clientSecretFile, emailDomains: ['staff.example'] }
const flags = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`management.oidc.${name}`, value]))
const world = await startWorld({ ...flags, 'server.port': port, 'management.publicUrl': origin }, 'empty')
afterAll(async () => {
  await world.close()
  provider.close()
  rmSync(folder, { recursive: true })
})

/**
 * A browser: keeps the cookies of each origin and follows redirects until it is back at the portal's start or fails.
 */
function createBrowser() {
  const jars = new Map<string, Map<string, string>>()
  const visit = async (url: string): Promise<Response> => {
    const jar = jars.get(new URL(url).origin) ?? new Map<string, string>()
    jars.set(new URL(url).origin, jar)
    const cookie = [...jar].map(pair => pair.join('=')).join('; ')
    const reply = await fetch(url.replace('//localhost', '//127.0.0.1'), { redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === '') jar.delete(name!)
      else jar.set(name!, value!)
    }
    return reply
  }
  const follow = async (url: string, stop?: RegExp): Promise<{ url: string; reply: Response }> => {
    for (let at = url, i = 0; i < 10; i++) {
      const reply = await visit(at)
      const location = reply.headers.get('location')
      if (location === null || stop?.test(location)) return { url: location ?? at, reply }
      at = new URL(location, at).href
    }
    throw new Error('too many redirects')
  }
  return { visit, follow }
}

const signInUrl = `${origin}/portal/sign-in/openid`
const users = async () =>
  (await periplus(['users', 'list', '--json', '--data', world.config.data])).json<{
    users: { email: string; staff_role?: string; openid_connect: boolean; name?: string }[]
  }>().users
const signIn = async (account: object) => {
  provider.account = { sub: 'x', email: 'x@example.org', email_verified: true, name: 'X', ...account }
  const { reply } = await createBrowser().follow(`${signInUrl}?to=/portal/profile`)
  return { status: reply.status, text: await reply.text() }
}

test('an invited person signs in by a verified address, and later by the account alone', async () => {
  const invite = ['users', 'invite', 'Ann@example.org', '--role', 'support', '--json', '--data', world.config.data]
  await periplus(invite)
  const unverified = await signIn({ sub: 'ann', email: 'ann@example.org', email_verified: false })
  expect(unverified.status).toBe(401)
  const first = await signIn({ sub: 'ann', email: 'ann@example.org', name: 'Ann' })
  expect(first).toMatchObject({ status: 200, text: expect.stringContaining('Signed in as Ann.') })
  const later = await signIn({ sub: 'ann', email: 'married@example.org', email_verified: false })
  expect(later).toMatchObject({ status: 200, text: expect.stringContaining('Signed in as Ann.') })
  expect(await signIn({ sub: 'other', email: 'ann@example.org' })).toMatchObject({ status: 401 })
  expect(await users()).toMatchObject([{ email: 'ann@example.org', staff_role: 'support', openid_connect: true }])
})

test('the provider confirms the address of an account made by a shown link, which loses what it had (R-90)', async () => {
  const invite = ['users', 'invite', 'fay@example.org', '--role', 'support', '--json', '--data', world.config.data]
  const { pathname } = new URL((await periplus(invite)).json<{ link: string }>().link)
  const body = new URLSearchParams({ password: 'correct horse battery' })
  const opened = await fetch(world.url + pathname, { method: 'POST', redirect: 'manual', body })
  const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
  expect(await signIn({ sub: 'fay', email: 'fay@example.org', name: 'Fay' })).toMatchObject({ status: 200 })
  const profile = await fetch(`${world.url}/portal/profile`, { redirect: 'manual', headers: { cookie } })
  expect(profile.status).toBe(303)
  const fay = (await users()).find(({ email }) => email === 'fay@example.org')
  expect(fay).toMatchObject({ password: false, openid_connect: true })
})

test('an address of a configured domain becomes staff; others are refused', async () => {
  expect(await signIn({ sub: 'bea', email: 'bea@Staff.Example' })).toMatchObject({ status: 200 })
  expect(await signIn({ sub: 'eve', email: 'eve@evil.example' })).toMatchObject({ status: 401 })
  expect(await signIn({ sub: 'eve', email: 'eve@not-staff.example' })).toMatchObject({ status: 401 })
  expect((await users()).at(-1)).toMatchObject({ email: 'bea@staff.example', staff_role: 'support' })
})

test('an answer works once, in the browser that asked, with its own state', async () => {
  provider.account = { sub: 'bea', email: 'bea@staff.example', email_verified: true, name: 'Bea' }
  const browser = createBrowser()
  const { url: callback } = await browser.follow(signInUrl, /openid\/callback/)
  expect(await createBrowser().visit(callback)).toMatchObject({ status: 410 })
  const forged = new URL(callback)
  forged.searchParams.set('state', 'other')
  expect(await browser.visit(forged.href)).toMatchObject({ status: 401 })
  expect(await browser.visit(callback)).toMatchObject({ status: 410 })
})

test('the provider can prove again who owns the session', async () => {
  const browser = createBrowser()
  await browser.follow(signInUrl)
  const { url, reply } = await browser.follow(`${signInUrl}?prove=1`)
  expect([reply.status, new URL(url).pathname]).toEqual([200, '/portal/profile'])
})
