/** The API explorer of the partner portal and the secrets of its key. */
import { afterAll, expect, test } from 'vitest'
import { explorerKeyId } from '../../src/domain/own-key.ts'
import { everything } from '../../src/domain/visibility.ts'
import { openAdmin } from '../composed.ts'
import { send } from '../http-client.ts'
import { startWorld } from '../world.ts'
import { pageClient } from './page-client.ts'

const world = await startWorld({ 'management.port': 0 })
afterAll(() => world.close())

const portal = { ...world, url: world.managementUrl! }
const client = pageClient(portal)
await client.run('partners', 'set', 'tester', '--package', 'growth')
const signIn = async (...flags: string[]) => client.cookieOf(await client.open(`${flags[1]}@example.org`, ...flags))
const member = await signIn('--role', 'member', '--partner', 'tester')
const path = '/portal/tester/explorer'
const origin = new URL(portal.url).origin

const newSecret = async (cookie = member) => {
  const reply = await client.post(`${path}/key`, {}, { cookie })
  return { ...reply, body: reply.status === 200 ? (reply.json() as { secret: string; expires_at: string }) : undefined }
}
const call = (secret: string, target = '/locations/1?version=1') =>
  send(world.url, target, { headers: { 'X-API-Key': secret, Origin: origin } })

test('the page has the form of the chosen operation and version, its cost and its samples', async () => {
  const first = await client.get(path, member)
  expect(first.status).toBe(200)
  expect(first.text).toContain('GET /locations/search')
  const { text } = await client.get(`${path}?operation=getLocations&version=v2`, member)
  for (const part of ['GET /locations<', '1 unit per place', '<option value="v2" selected>', 'name="ids"'])
    expect([part, text.includes(part)]).toEqual([part, true])
  expect(text).toContain(`curl -H &quot;X-API-Key: $PERIPLUS_KEY&quot;`)
  // The places of the form exist in the scope of the partner.
  const [, ids] = /name="ids"[^>]*value="([\d,]+)"/.exec(text)!
  const places = (await world.get(`/locations?ids=${ids}&version=2`)).json() as object
  expect(places).toMatchObject({ data: ids!.split(',').map(() => expect.anything()) })
  expect(places).not.toHaveProperty('missing_ids')
  expect(text).toContain('data-key-url="/portal/tester/explorer/key"')
  const post = await client.get(`${path}?operation=matchLocations`, member)
  for (const part of ['POST /locations/match<', '1 unit per record', 'data-method="POST"', 'name="body"'])
    expect([part, post.text.includes(part)]).toEqual([part, true])
  const unknown = await client.get(`${path}?operation=__proto__&version=v9`, member)
  expect([unknown.status, unknown.text.includes('GET /locations/search')]).toEqual([200, true])
})

test('each tab gets a secret of one test key, which ends after 8 hours and shares its limits', async () => {
  const before = Date.now()
  const [one, two] = [await newSecret(), await newSecret()]
  expect([one.status, one.headers['cache-control'], one.headers['content-type']]).toEqual([
    200,
    'no-store',
    'application/json',
  ])
  expect(one.body!.secret).not.toBe(two.body!.secret)
  const endMs = Date.parse(one.body!.expires_at)
  expect(endMs).toBeGreaterThanOrEqual(before + 8 * 3_600_000)
  expect(endMs).toBeLessThanOrEqual(Date.now() + 8 * 3_600_000)
  const replies = [await call(one.body!.secret), await call(two.body!.secret)]
  expect(replies.map(({ status, headers }) => [status, headers['x-key-mode']])).toEqual([
    [200, 'test'],
    [200, 'test'],
  ])
  const account = (await call(two.body!.secret, '/account')).json() as { data: Record<string, unknown> }
  expect(account.data).toMatchObject({
    id: explorerKeyId('tester'),
    test: true,
    package: 'growth',
    limits: { quota: { value: 1000, left: 998 } },
  })
  const admin = openAdmin(world.config)
  const secrets = await admin.keys.secrets(explorerKeyId('tester'))
  admin.close()
  expect(secrets.map(({ expiresMs }) => expiresMs! - Date.now() <= 8 * 3_600_000)).toEqual([true, true])
})

test('the key follows the package of the partner, and does not count as one of its test keys', async () => {
  await client.run('partners', 'set', 'tester', '--package', 'scale')
  const { body } = await newSecret()
  const account = (await call(body!.secret, '/account')).json() as { data: { package: string } }
  expect(account.data.package).toBe('scale')
  const admin = openAdmin(world.config)
  expect(await admin.keys.ownKeys('tester', true, Date.now())).toEqual({ held: 0, made: 0, bounded: 0, ended: 0 })
  const audit = JSON.stringify(await client.run('audit', 'list', '--partner', 'tester'))
  expect(audit).toContain('"action":"explorer.open"')
  expect(audit).not.toContain(body!.secret.slice(-20))
  const key = (await admin.keys.key(explorerKeyId('tester'), everything))!
  admin.close()
  await client.run('keys', 'disable', key.id)
  const refused = await newSecret()
  expect([refused.status, refused.text.includes('Use a test key of your own')]).toEqual([409, true])
})

test('an admin of the partner gets no secret of the explorer key that stays', async () => {
  const cookie = await signIn('--role', 'admin', '--partner', 'tester')
  const page = `/portal/tester/keys/${explorerKeyId('tester')}`
  const revision = /name="revision" value="(\d+)"/.exec((await client.get(`${page}/rotate`, cookie)).text)![1]!
  const refused = await client.post(`${page}/rotate`, { overlap: '2592000', revision }, { cookie })
  expect(refused).toMatchObject({ status: 403, text: expect.not.stringContaining('peri_test_') })
})

test('staff look at the page without the explorer key, and other partners do not see it', async () => {
  const support = await signIn('--role', 'support')
  const page = await client.get(path, support)
  expect([page.status, page.text.includes('data-key-url')]).toEqual([200, false])
  expect((await newSecret(support)).status).toBe(403)
  const { id } = await client.run('partners', 'create', 'Other')
  const stranger = client.cookieOf(await client.open('x@example.org', '--role', 'admin', '--partner', id!))
  expect((await newSecret(stranger)).status).toBe(404)
  expect((await client.get(path, stranger)).status).toBe(404)
})

test('a portal on a port of its own may call the API: the policy of its pages and CORS allow it', async () => {
  const { headers, text } = await client.get(path, member)
  expect(headers['content-security-policy']).toContain(`connect-src 'self' ${world.url}`)
  expect(text).toContain(`data-url="${world.url}"`)
  const reply = await call(world.key)
  expect(reply.headers['access-control-allow-origin']).toBe(origin)
})
