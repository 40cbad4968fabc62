/** The pages of keys in the partner portal, as a browser without scripts uses them. */
import { afterAll, expect, test } from 'vitest'
import { send } from '../http-client.ts'
import { startWorld } from '../world.ts'
import { type Fields, pageClient } from './page-client.ts'

const world = await startWorld({}, 'empty')
afterAll(() => world.close())

const client = pageClient(world)
await client.run('partners', 'set', 'tester', '--package', 'growth', '--live-keys', '10')
const signIn = async (email: string, role: string) =>
  client.cookieOf(await client.open(email, '--role', role, '--partner', 'tester'))
const admin = await signIn('admin@example.org', 'admin')
const member = await signIn('member@example.org', 'member')
const keys = '/portal/tester/keys'
const get = (path: string, cookie = admin) => client.get(keys + path, cookie)
const post = (path: string, fields: Fields, cookie = admin) => client.post(keys + path, fields, { cookie })
const revisionOf = async (path: string) => /name="revision" value="(\d+)"/.exec((await get(path)).text)![1]!
const secretIn = (text: string) => /peri_(?:live|test)_\w+/.exec(text)![0]
const idIn = (text: string) => /keys\/(key_[\w-]+)"/.exec(text)![1]!
/** Asks for a place that does not exist: 404 with a key that works. */
const call = async (secret: string) =>
  (await send(world.url, '/locations/1?version=1', { headers: { 'X-API-Key': secret } })).status

/** Makes a live key and returns its id and secret. */
async function makeKey(fields: Fields = {}) {
  const { text } = await post('/new', { test: 'no', name: 'Backend', ...fields })
  return { id: idIn(text), secret: secretIn(text) }
}

/** Returns the content of a page without its navigation. */
const contentOf = (text: string): string => /<main.*<\/main>/s.exec(text)![0]

test('a new key shows its secret once, after its form', async () => {
  expect((await get('/new')).text).toContain('Live key')
  const networks = '203.0.113.7/24\n127.0.0.1'
  const made = await post('/new', { test: 'no', name: 'Back <end>', networks, expires_at: '2030-01-31' })
  expect(made).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  const secret = secretIn(made.text)
  expect(await call(secret)).toBe(404)
  const page = await get(`/${idIn(made.text)}`)
  expect(page.text).not.toContain(secret)
  for (const text of [`…${secret.slice(-4)}`, 'Back &lt;end&gt;', '203.0.113.0/24', '127.0.0.1/32', '1 Feb 2030'])
    expect(page.text).toContain(text)
  await client.run('keys', 'set', idIn(made.text), '--notes', 'Pays late')
  const json = await get('?format=json')
  expect(json.text).not.toContain('Pays late')
  expect(JSON.parse(json.text)).toContainEqual(expect.objectContaining({ id: idIn(made.text), name: 'Back <end>' }))
  const list = await get('')
  for (const text of ['Back &lt;end&gt;', `…${secret.slice(-4)}`, '2 networks']) expect(list.text).toContain(text)
})

test('wrong values come back with their sentences at the fields', async () => {
  const sent = { test: 'yes', name: 'Kept', expires_at: '2020-01-01' }
  const past = await post('/new', sent)
  expect(past.status).toBe(422)
  expect(past.text).toMatch(/id="field-expires_at-error">Last day must be in the future/)
  expect(past.text).toContain('value="Kept"')
  expect((await post('/new', { ...sent, expires_at: '2026-02-30' })).status).toBe(422)
  const network = await post('/new', { test: 'yes', networks: '10.0.0.0/8 here' })
  expect(network.text).toMatch(/id="field-networks-error">here is not a network/)
  const country = await post('/new', { test: 'yes', 'scope.countries': 'spain' })
  expect(country).toMatchObject({ status: 422 })
  expect(country.text).toContain('id="field-scope-countries-error"')
})

test('a rotation leaves the old secret valid for the overlap, until it is ended', async () => {
  const { id, secret } = await makeKey()
  const form = await get(`/${id}/rotate`)
  expect(form.text).toMatch(/value="86400" checked/)
  const revision = await revisionOf(`/${id}/rotate`)
  expect(await post(`/${id}/rotate`, { revision, overlap: '5' })).toMatchObject({ status: 422 })
  const rotated = await post(`/${id}/rotate`, { revision, overlap: '3600' })
  const fresh = secretIn(rotated.text)
  expect([await call(secret), await call(fresh)]).toEqual([404, 404])
  const stale = await post(`/${id}/rotate`, { revision, overlap: '0' })
  expect(stale.status).toBe(412)
  expect(stale.text).not.toMatch(/peri_live_/)
  const page = await get(`/${id}`)
  expect(page.text).toMatch(/Ends <time [^>]*>in /)
  expect(page.text).toContain('Rotated')
  const used = () => get(`/${id}`).then(({ text }) => contentOf(text))
  await expect.poll(used).toContain('Since the rotation, 1 call used it')
  await call(secret)
  await expect.poll(used).toContain('Since the rotation, 2 calls used it')
  expect(contentOf(page.text)).toMatch(/The earlier secret .* works until/s)
  const { secrets } = await client.run('keys', 'show', id)
  expect(secrets).toMatchObject([{ calls_since_rotation: 2, last_used_at: expect.any(String) }, {}])
  expect(JSON.parse((await get(`/${id}?format=json`)).text)).toEqual((secrets as unknown as unknown[]).toReversed())
  const old = [...page.text.matchAll(/name="secret" value="([^"]+)"/g)][1]![1]
  const ended = await post(`/${id}/end-secret`, { revision: await revisionOf(`/${id}`), secret: old! })
  expect(ended).toMatchObject({ status: 303, headers: { location: `${keys}/${id}` } })
  await expect.poll(() => call(secret)).toBe(401)
  expect(await call(fresh)).toBe(404)
})

test('a change by two people shows both values, and the second attempt replaces the first', async () => {
  const { id } = await makeKey()
  const revision = await revisionOf(`/${id}/edit`)
  expect(await post(`/${id}/edit`, { revision, name: 'First', 'scope.categories': ['HOTEL'] })).toMatchObject({
    status: 303,
  })
  const lost = await post(`/${id}/edit`, { revision, name: 'Second', 'scope.categories': ['HOTEL'] })
  expect(lost.status).toBe(412)
  expect(lost.text).toContain('value="Second"')
  expect(lost.text).toContain('now “First”.')
  const [, current] = /name="revision" value="(\d+)"/.exec(lost.text)!
  await post(`/${id}/edit`, { revision: current!, name: 'Second', 'scope.categories': ['HOTEL'] })
  const page = await get(`/${id}`)
  expect(page.text).toContain('<h1>Second</h1>')
  expect(page.text).toContain('Hotels')
  const same = { revision: await revisionOf(`/${id}/edit`), name: 'Second', 'scope.categories': ['HOTEL'] }
  const again = await post(`/${id}/edit`, same)
  expect(decodeURIComponent(again.headers['set-cookie']![0]!)).toContain('Nothing was changed.')
})

test('a key is disabled, enabled and revoked; a revoked one offers no action', async () => {
  const { id, secret } = await makeKey({ name: 'States' })
  const set = async (state: string) => post(`/${id}/state`, { revision: await revisionOf(`/${id}`), state })
  expect(await set('disabled')).toMatchObject({ status: 303 })
  await expect.poll(() => call(secret)).toBe(401)
  expect((await get(`/${id}`)).text).toContain('Enable')
  await set('active')
  await expect.poll(() => call(secret)).toBe(404)
  await set('revoked')
  const page = await get(`/${id}`)
  expect(page.text).toContain('Revoked')
  expect(contentOf(page.text)).not.toContain('<button')
  expect(await post(`/${id}/state`, { revision: '4', state: 'active' })).toMatchObject({ status: 409 })
  const rows = JSON.parse((await get('?format=json')).text) as { test: boolean }[]
  const live = rows.filter(({ test: isTest }) => !isTest).length
  await client.run('partners', 'set', 'tester', '--live-keys', String(live + 1))
  const full = (await get('/new')).text
  await client.run('partners', 'set', 'tester', '--live-keys', '10')
  expect(full).toContain('a revoked key counts for 24 hours')
  expect(full).not.toContain('Its calls are billed')
  expect((await get('')).text).not.toContain('States')
  expect((await get('?state=all')).text).toContain('States')
})

test('members make test keys only; keys of others do not exist', async () => {
  const form = await get('/new', member)
  expect(form.text).toContain('made by an admin')
  expect(await post('/new', { test: 'no' }, member)).toMatchObject({ status: 403 })
  const made = await post('/new', { test: 'yes', name: 'Try' }, member)
  expect(secretIn(made.text)).toMatch(/^peri_test_/)
  const id = idIn(made.text)
  expect(contentOf((await get(`/${id}`, member)).text)).not.toContain('<button')
  for (const path of [`/${id}/edit`, `/${id}/state`, `/${id}/rotate`])
    expect(await post(path, { revision: '1', state: 'revoked' }, member)).toMatchObject({ status: 403 })
  const other = await client.run('keys', 'create', '--package', 'growth')
  const strip = (text: string) => text.replaceAll(/key_[\w-]+/g, 'ID')
  expect(strip((await get(`/${other.id}`)).text)).toBe(strip((await get('/key_01a203c2-unknown')).text))
  expect(await get(`/${other.id}`)).toMatchObject({ status: 404 })
})

test('staff sees the pages of keys without actions', async () => {
  const staff = client.cookieOf(await client.open('staff@example.org', '--role', 'operator'))
  const { id } = await makeKey({ name: 'Watched' })
  for (const path of ['', `/${id}`, '/new', `/${id}/edit`, `/${id}/rotate`]) {
    const page = await get(path, staff)
    expect([path, page.status, contentOf(page.text).includes('<button')]).toEqual([path, 200, false])
  }
  expect(await post(`/${id}/state`, { revision: '1', state: 'revoked' }, staff)).toMatchObject({ status: 403 })
})

test('a partner with all its live keys is led to a request', async () => {
  await client.run('partners', 'set', 'tester', '--live-keys', '1')
  const form = await get('/new')
  expect(form.text).toContain('/plan/request/live_key')
  expect(form.text).not.toContain('Live key</label>')
  const refused = await post('/new', { test: 'no', name: 'One more' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('the maximum')
  expect(refused.text).toContain('value="One more"')
})

test('the history of a key names former members and nobody of the operator', async () => {
  await client.run('partners', 'set', 'tester', '--live-keys', '20')
  const leaver = await signIn('leaver@example.org', 'admin')
  const made = await post('/new', { test: 'no', name: 'Left behind' }, leaver)
  const id = idIn(made.text)
  await client.run('keys', 'set', id, '--network', '10.0.0.0/8')
  await client.run('users', 'set', 'leaver@example.org', '--leave', 'tester')
  const { text } = await get(`/${id}`)
  for (const name of ['Former member', 'Operator']) expect(text).toContain(name)
  expect(text).not.toContain('leaver@example.org')
})
