/** Sign-in, links and sign-out in the portal, over HTTP (portal design §4 and acceptance 7). */
import { afterAll, expect, test } from 'vitest'
import { cookieName, isProtected, isSameSite } from '../../src/management/session.ts'
import { periplus } from '../cli.ts'
import { type Reply, send } from '../http-client.ts'
import { startWorld } from '../world.ts'

const world = await startWorld({}, 'empty')
afterAll(() => world.close())

const run = async (...args: string[]) => {
  const result = await periplus([...args, '--json', '--data', world.config.data])
  if (result.code !== 0) throw new Error(result.stderr)
  return result.json<Record<string, string>>()
}
const pathOf = (link: string | undefined): string => new URL(link!).pathname
const get = (path: string, cookie?: string): Promise<Reply> =>
  send(world.url, path, { headers: { ...(cookie !== undefined && { cookie }) } })
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> =>
  send(world.url, path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
const cookieOf = (reply: Reply): string => reply.headers['set-cookie']![0]!.split(';')[0]!

const password = 'correct horse battery'
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
  const home = await get('/portal', cookieOf(opened))
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
  expect(await get('/portal', cookie)).toMatchObject({ status: 200 })
  const left = await post('/portal/sign-out', {}, { cookie })
  expect(left).toMatchObject({ status: 303, headers: { location: '/portal/sign-in' } })
  expect(await get('/portal', cookie)).toMatchObject({ status: 303 })
})

test('a session that is ended by a command fails with its next request', async () => {
  const cookie = cookieOf(await post('/portal/sign-in', { email: 'o@example.org', password }))
  expect(await get('/portal', cookie)).toMatchObject({ status: 200 })
  await run('sessions', 'end', '--user', 'o@example.org')
  expect(await get('/portal', cookie)).toMatchObject({ status: 303 })
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

test('unknown pages and forms that are too large are errors', async () => {
  expect(await get('/portal/nothing')).toMatchObject({ status: 404 })
  expect(await post('/portal/sign-in', { email: 'x'.repeat(70_000) })).toMatchObject({ status: 413 })
  const json = await send(world.url, '/portal/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(json.status).toBe(401)
})
