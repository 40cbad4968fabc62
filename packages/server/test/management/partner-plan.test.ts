/** Plan, feed pins, webhooks and versions in the partner portal, as a browser without scripts uses them. */
import { afterAll, expect, test } from 'vitest'
import { send } from '../http-client.ts'
import { startReceiver } from '../receiver.ts'
import { startWorld } from '../world.ts'
import { type Fields, pageClient } from './page-client.ts'

const receiver = await startReceiver()
const world = await startWorld({ 'webhooks.allowPrivate': true, 'site.contact.url': 'https://atlas.example/keys' })
afterAll(() => Promise.all([world.close(), receiver.close()]))

const client = pageClient(world)
const key = await client.run('keys', 'create', '--partner', 'tester', '--package', 'growth', '--name', 'Site')
const signIn = async (email: string, role: string) =>
  client.cookieOf(await client.open(email, '--role', role, '--partner', 'tester'))
const admin = await signIn('admin@example.org', 'admin')
const member = await signIn('member@example.org', 'member')
const portal = '/portal/tester'
const get = (path: string, cookie = admin) => client.get(portal + path, cookie)
const post = (path: string, fields: Fields, cookie = admin) => client.post(portal + path, fields, { cookie })
const call = async (path: string) => (await send(world.url, path, { headers: { 'X-API-Key': key.key! } })).status

test('the plan shows limits with their origin, permissions with their refusals, and packages', async () => {
  expect(await call('/recommendations/search?query=hotel&version=1')).toBe(403)
  await expect.poll(async () => (await get(`/plan?key=${key.id}`)).text).toContain('1 call')
  expect(await call('/locations/1?version=1')).toBeLessThan(500)
  // The next round of the request log has the call. Both calls may fall in one second.
  await expect.poll(async () => (await get(`/plan?key=${key.id}`)).text).toMatch(/(1 call|2 calls) in a second/)
  const { text } = await get(`/plan?key=${key.id}`)
  for (const part of [
    'Package growth',
    '25 <span',
    'Not in the package growth',
    'growth <span class="badge good">Yours',
    '<a href="https://atlas.example/keys">contact</a>',
  ])
    expect(text).toContain(part)
  expect((await get(`/plan?key=${key.id}`, member)).text).not.toContain('plan/request')
  expect((await get('/plan?key=key_unknown')).text).toContain('Limits of the key')
})

test('an add-on is requested, replaces its form while it is open, and is granted by the operator', async () => {
  const form = await get(`/plan/request/add_on?key=${key.id}`)
  expect(form.text).toContain('value="recommendations"')
  const request = { key: key.id!, add_on: 'recommendations' }
  const blank = await post('/plan/request/add_on', { ...request, reason: ' ' })
  expect(blank.status).toBe(422)
  expect(blank.text).toContain('id="field-reason-error"')
  expect(await post('/plan/request/add_on', { ...request, reason: 'Try <it>' })).toMatchObject({ status: 303 })
  expect((await get(`/plan/request/add_on?key=${key.id}`)).text).toContain('withdraw it')
  expect(await post('/plan/request/add_on', { ...request, reason: 'Again' })).toMatchObject({ status: 409 })
  const plan = await get(`/plan?key=${key.id}`)
  for (const part of ['Add-on Recommendations', 'Try &lt;it&gt;', 'Open']) expect(plan.text).toContain(part)
  const [, id] = /plan\/requests\/(upgrade_[\w-]+)\/withdraw/.exec(plan.text)!
  await client.run('upgrades', 'approve', id!, '--answer', 'Enjoy')
  await expect
    .poll(() => call('/recommendations/search?query=hotel&lat=40&lon=-3&radius=50&version=1'), { interval: 200 })
    .toBe(200)
  expect((await get('/plan')).text).toContain('Enjoy')
})

test('wrong requests come back with their sentences, and an open one can be withdrawn', async () => {
  const send = (kind: string, fields: Fields) => post(`/plan/request/${kind}`, { reason: 'Growth', ...fields })
  expect(await send('quota', { key: key.id!, 'agreement.quota': 'many' })).toMatchObject({ status: 422 })
  expect(await send('package', { key: key.id!, package: 'growth' })).toMatchObject({ status: 409 })
  expect(await send('package', { key: key.id! })).toMatchObject({ status: 422 })
  expect(await send('nothing', { key: key.id! })).toMatchObject({ status: 404 })
  expect(await send('quota', { key: 'key_unknown' })).toMatchObject({ status: 404 })
  expect(await post('/plan/request/live_key', { reason: 'x' }, member)).toMatchObject({ status: 403 })
  expect(await send('live_key', {})).toMatchObject({ status: 303 })
  const withdraw = /plan\/requests\/([\w-]+)\/withdraw[^>]*><input[^>]*name="revision" value="(\d+)"/
  const [, id, revision] = withdraw.exec((await get('/plan')).text)!
  expect(await post(`/plan/requests/${id}/withdraw`, { revision: '7' })).toMatchObject({ status: 412 })
  expect(await post(`/plan/requests/${id}/withdraw`, { revision: revision! })).toMatchObject({ status: 303 })
  expect((await get('/plan')).text).toContain('Withdrawn')
})

test('a pin moves after a preview, and can be undone', async () => {
  const sync = await client.run('keys', 'create', '--partner', 'tester', '--package', 'growth', '--add-on', 'feeds')
  const path = `/feeds/${sync.id}/locations`
  const preview = await get(`${path}?version=2`)
  for (const part of ['Move to version 2', 'price_level', 'preview']) expect(preview.text).toContain(part)
  expect(await get(`${path}?version=9`)).toMatchObject({ status: 422 })
  expect(await get(`/feeds/${sync.id}/nothing`)).toMatchObject({ status: 404 })
  expect((await get(`${path}?version=2`, member)).text).not.toContain('Move to version')
  const [, revision] = /name="revision" value="(\d+)"/.exec(preview.text)!
  expect(await post(`${path}/move`, { version: '2', revision: '9' })).toMatchObject({ status: 412 })
  expect(await post(`${path}/move`, { version: '2', revision: revision! })).toMatchObject({ status: 303 })
  expect(await post(`${path}/move`, { version: '1', revision: revision! }, member)).toMatchObject({ status: 403 })
  const moved = await get(`/feeds?key=${sync.id}&sort=size,asc`)
  expect(moved.status).toBe(200)
  expect(await get('/feeds?sort=colour')).toMatchObject({ status: 400 })
  const undo =
    /locations\/undo"[^>]*><input type="hidden" name="revision" value="(\d+)"><button class="plain">Undo: back to 1/
  const [, present] = undo.exec(moved.text)!
  expect(await post(`${path}/undo`, { revision: present! })).toMatchObject({ status: 303 })
  const undone = await client.run('feeds', 'pins', sync.id!)
  expect(undone.pins).toMatchObject({ locations: '1' })
  expect(await post(`/feeds/${sync.id}/reviews/undo`, { revision: '3' })).toMatchObject({ status: 409 })
})

test('a webhook shows its secret once, receives tests and events, and is paused, changed and removed', async () => {
  expect((await get('/webhooks', member)).text).toContain('No webhooks yet')
  const wrong = await post('/webhooks/new', { url: 'ftp://partner.example', types: ['key.created'] })
  expect(wrong).toMatchObject({ status: 422 })
  expect(wrong.text).toContain('id="field-url-error"')
  expect(await post('/webhooks/new', { url: receiver.url })).toMatchObject({ status: 422 })
  const added = await post('/webhooks/new', { url: receiver.url, types: ['key.created', 'key.disabled'] })
  const [secret] = /whsec_[\w+/=]+/.exec(added.text)!
  const [, id] = /webhooks\/([\w-]{8,})"/.exec(added.text)!
  const page = async () => (await get(`/webhooks/${id}`)).text
  expect(await page()).not.toContain(secret)
  const revision = async () => /name="revision" value="(\d+)"/.exec(await page())![1]!
  const act = async (name: string, fields: Fields = {}) =>
    post(`/webhooks/${id}/${name}`, { revision: await revision(), ...fields })
  expect((await act('test')).text).toContain('The receiver accepted the test: 204')
  receiver.answer = response => response.writeHead(500).end('<broken>')
  const failed = await act('test')
  expect(failed.text).toContain('did not accept the test: 500')
  expect(failed.text).toContain('&lt;broken&gt;')
  receiver.answer = response => response.writeHead(204).end()
  await client.run('keys', 'create', '--partner', 'tester', '--package', 'growth')
  await expect.poll(page).toContain('badge good">Delivered')
  const exported = (await get(`/webhooks/${id}?state=delivered&format=json`, member)).json() as object
  expect(exported).toMatchObject([{ webhook_id: id, event: { type: 'key.created' }, attempts: [{ status: 204 }] }])
  const [, delivery] = /name="delivery" value="([^"]+)"/.exec(await page())!
  expect(await act('redeliver', { delivery: delivery! })).toMatchObject({ status: 303 })
  expect(await act('state', { state: 'paused' })).toMatchObject({ status: 303 })
  expect(await page()).toContain('Paused')
  const rotated = await act('rotate')
  expect(rotated.text).toMatch(/whsec_/)
  expect(rotated.text).not.toContain(secret)
  expect(await act('edit', { url: receiver.url, types: ['key.created'] })).toMatchObject({ status: 303 })
  const stale = await post(`/webhooks/${id}/edit`, { revision: '1', url: receiver.url, types: ['key.revoked'] })
  expect(stale.status).toBe(412)
  expect(stale.text).toContain('now “key.created”.')
  expect(await post(`/webhooks/${id}/remove`, { revision: '1' }, member)).toMatchObject({ status: 403 })
  expect(await act('remove')).toMatchObject({ status: 303 })
  expect(await get(`/webhooks/${id}`)).toMatchObject({ status: 404 })
})

test('versions show own calls by key, and the calls that name no version', async () => {
  expect(await call('/locations/1?version=2')).toBe(200)
  expect(await call('/locations/1')).toBe(200)
  await expect.poll(async () => (await get('/versions')).text).toContain('answered in version 1')
  const used = (await get('/versions?format=json', member)).json() as object[]
  expect(used).toContainEqual(expect.objectContaining({ name: '2', key_id: key.id, calls_7_days: 1, calls_30_days: 1 }))
  const { text } = await get('/versions', member)
  for (const part of ['Some calls', `keys/${key.id}">Site</a>: 1 call`, 'badge plain">retired', '/changelog/v2'])
    expect(text).toContain(part)
  expect(text).not.toContain('You call it')
  const differences = text.split('id="differences"')[1]!.split('id="compare"')[0]!.replaceAll('<wbr>', '')
  for (const part of ['categories[].top_level_category', '{ "id": "RESTAURANT", "display_name": ', 'rating_icon'])
    expect(differences).toContain(part.replaceAll('"', '&quot;'))
  const old = (await get('/versions?before=0&after=1', member)).text.split('id="differences"')[1]!
  for (const part of ['value="0" selected>0 (retired)', 'integer (64-bit)</span><code class="value">', 'TEMPORARILY'])
    expect(old).toContain(part)
  // Differences that no schema shows: what is sent without a value, and another form of values.
  expect(old).toContain('no value</span><code class="value">null</code></td>')
  expect(differences).toMatch(
    /<code>names\[\].language<\/code>.*?"value">&quot;zh_CN&quot;.*?"value">&quot;zh-CN&quot;/s,
  )
  const other = await client.run('partners', 'create', 'Other')
  const stranger = client.cookieOf(await client.open('s@example.org', '--role', 'admin', '--partner', other.id!))
  const own = await client.get(`/portal/${other.id}/versions`, stranger)
  expect(own.text).toContain('No calls in the last 90 days.')
  expect(own.text).toContain('Times are in UTC.')
  expect(own.text).not.toContain(key.id)
  expect(own.text).toContain('class="value"')
  await client.run('partners', 'set', other.id!, '--countries', 'AQ')
  // Examples come from places that the partner can read.
  const outside = await client.get(`/portal/${other.id}/versions`, stranger)
  expect(outside.text).toContain('no place found')
  // Those of responses are in the reference.
  const ofPlaces = outside.text.split('<tr').filter(row => !/GET \S+, response/.test(row))
  expect(ofPlaces.join('')).not.toContain('class="value"')
  const plan = await client.get(`/portal/${other.id}/plan`, stranger)
  for (const part of ['No keys yet', 'aria-label="Packages"', 'transform']) expect(plan.text).toContain(part)
})
