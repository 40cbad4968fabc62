/** The pages of the console about upgrade requests and the service itself, over HTTP. */
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { startReceiver } from '../receiver.ts'
import { startWorld } from '../world.ts'
import { type Fields, pageClient } from './page-client.ts'
import { fieldsOf } from './page-forms.ts'

const receiver = await startReceiver()
const world = await startWorld({ 'webhooks.allowPrivate': true }, 'empty')
afterAll(() => Promise.all([world.close(), receiver.close()]))
const { run, get, post, open, cookieOf } = pageClient(world)
const operator = cookieOf(await open('operator@example.org', '--role', 'operator'))
const support = cookieOf(await open('support@example.org', '--role', 'support'))
const read = (path: string, cookie = operator) => get(`/console${path}`, cookie)
const write = (path: string, fields: Fields, cookie = operator) => post(`/console${path}`, fields, { cookie })

test('a request is approved with an agreement, and the 403 of the key ends', async () => {
  const key = await run('keys', 'create', '--partner', 'tester', '--package', 'discover')
  const ask = () =>
    world.get('/recommendations/search?query=museum&lat=40.41&lon=-3.69&radius=10&unit=KM', { key: key.key! })
  expect((await ask()).status).toBe(403)
  const opened = await run('upgrades', 'open', '--key', key.id!, '--add-on', 'recommendations', '--reason', 'A <trial>')
  const path = `/upgrades/${opened.id}`
  const list = await read('/upgrades')
  expect(list.text).toContain(`href="/console${path}"`)
  expect(list.text).toContain('A &lt;trial&gt;')
  const page = await read(path)
  expect(page.text).toContain('<strong>discover + Recommendations</strong>')
  const fields = fieldsOf(page.text, `/console${path}/approve`)
  const wrong = await write(`${path}/approve`, { ...fields, 'agreement.quota': '0' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Daily units must be an integer of at least 1, not 0.')
  expect(await write(`${path}/approve`, fields, support)).toMatchObject({ status: 403 })
  expect((await read(path, support)).text).not.toContain('>Approve<')
  expect(await write(`${path}/approve`, { ...fields, 'agreement.quota': '20000' })).toMatchObject({ status: 303 })
  await eventually(async () => expect((await ask()).status).toBe(200))
  expect((await run('keys', 'show', key.id!)) as object).toMatchObject({ limits: { quota: { value: 20_000 } } })
  expect(await write(`${path}/approve`, fields)).toMatchObject({ status: 409 })
  expect((await read('/upgrades')).text).toContain('No open requests')
  expect((await read('/upgrades?show=decided')).text).toContain('Approved')
})

test('a request is declined with a reason, which is required', async () => {
  const opened = await run('upgrades', 'open', '--partner', 'tester', '--reason', 'Another shop')
  const path = `/upgrades/${opened.id}`
  const fields = fieldsOf((await read(path)).text, `/console${path}/decline`)
  const blank = await write(`${path}/decline`, { ...fields, answer: ' ' })
  expect(blank.status).toBe(422)
  expect(blank.text).toContain('id="field-decline-answer-error"')
  expect(await write(`${path}/decline`, { ...fields, answer: 'Use the first' })).toMatchObject({ status: 303 })
  expect((await read(path)).text).toContain('Use the first')
  expect(await read('/upgrades/upgrade_x')).toMatchObject({ status: 404 })
})

test('the start shows what needs attention and the first steps', async () => {
  const home = await read('')
  expect(home.status).toBe(200)
  expect(home.text).toContain('First steps')
  expect(home.text).toContain('Create a partner</a><span class="unseen"> (done)')
  expect(home.text).not.toContain('Load places</a><span class="unseen"> (done)')
  await run('upgrades', 'open', '--partner', 'tester', '--reason', 'One more')
  expect((await read('')).text).toMatch(/Open requests<\/a><\/p><p class="tile-value">1</)
  expect((await world.get('/locations/1')).status).toBe(404)
  const causes = await eventually(async () => {
    const [, table] = /Refused and failed calls by cause(.*?)<\/table>/s.exec((await read('')).text)!
    expect(table).toMatch(/fault=location_unknown&amp;from=[\d-]+">Unknown location<\/a>.*badge warn">404<.*>1</s)
    return table
  })
  expect(causes).toMatch(/fault=forbidden&amp;from=[\d-]+">Missing permission<\/a>.*badge warn">403</s)
  const [, refused] = /href="(\/console\/requests\?status=4xx&amp;from=[\d-]+)">Refused/.exec((await read('')).text)!
  await eventually(async () =>
    expect((await get(refused!.replaceAll('&amp;', '&'), operator)).text).toContain('location_unknown'),
  )
})

test('health explains measures with their thresholds, disk and jobs; owners start a verification', async () => {
  const owner = cookieOf(await open('owner@example.org', '--role', 'owner'))
  const health = (await read('/health', owner)).text
  expect(health).toContain('Ready')
  expect(health).toMatch(/Usage journal<\/th><td[^>]*>Every call is written/)
  expect(health).toContain('Up to 60 s behind the journal.')
  expect(health).toMatch(
    /Age of the index<\/th><td[^>]*>Built [\d a-z]+ ago, follows the data up to revision (\d+) of \1</,
  )
  expect(health).toMatch(
    /Age of the feeds<\/th><td[^>]*>4 feeds, the oldest is Places in version 1, which is not built yet<.*?feeds\.schedule is manual/s,
  )
  expect(health).toMatch(/Running work<\/th><td[^>]*>(No import|An import|A build)/)
  expect(health).toMatch(/Disk<\/th><td[^>]*>[\d.,]+ [MGT]B free<.*?At least 2\.0 GB/s)
  expect((await get('/console/health?list=warnings&format=csv', owner)).headers['content-disposition']).toContain(
    'warnings.csv',
  )
  expect((await get('/console/?format=json', owner)).json()).toMatchObject([{ id: expect.any(String) }])
  expect(health).toMatch(/Response time<\/th><td[^>]*>Fewer than 100 calls/)
  expect(health).toContain(world.config.store === 'folder' ? 'Partners, keys and ledger' : 'Usage journal')
  expect(await write('/health/verify', {})).toMatchObject({ status: 403 })
  expect((await read('/health')).text).not.toContain('Start verification')
  const unset = await write('/health/backup', {}, owner)
  expect(unset.status).toBe(409)
  expect(unset.text).toContain(world.config.store === 'folder' ? 'backup.dir' : 'pg_dump')
  expect(await write('/health/verify', {}, owner)).toMatchObject({ status: 303 })
  expect((await read('/health', owner)).text).toMatch(
    /Verification<\/th><td[^>]*><span class="badge \w+">(Waiting|Running|Done)/,
  )
  const job = /name="job" value="([^"]+)"/.exec((await read('/health', owner)).text)?.[1]
  if (job !== undefined) await write('/health/cancel', { job }, owner)
})

test('events, deliveries, webhooks and mails are listed; an operator pauses a webhook and sends an event again', async () => {
  const url = 'https://hooks.tester.example/in'
  const webhook = await run('webhooks', 'add', url, '--type', 'key.disabled', '--partner', 'tester')
  const key = await run('keys', 'create', '--partner', 'tester', '--package', 'discover')
  await run('keys', 'disable', key.id!)
  const events = await read('/events?type=key.disabled')
  expect(events.text).toContain('>key.disabled</code>')
  expect(events.text).toContain(key.id)
  expect(events.text).not.toContain('>key.created</code>')
  const list = await read('/events?show=webhooks')
  expect(list.text).toContain(url)
  const fields = fieldsOf(list.text, '/console/events/state')
  expect(fields).toMatchObject({ webhook: webhook.id, state: 'paused' })
  expect(await write('/events/state', fields, support)).toMatchObject({ status: 403 })
  expect(await write('/events/state', fields)).toMatchObject({ status: 303 })
  expect((await read('/events?show=webhooks')).text).toContain('Paused')
  expect(await write('/events/state', fields)).toMatchObject({ status: 412 })
  const delivery = await eventually(async () => {
    const { text } = await read(`/events?show=deliveries&webhook=${webhook.id}`)
    expect(text).toContain('<code>key.disabled</code>')
    return text
  })
  expect(delivery).toContain(url)
  const file = await read('/events?type=key.disabled&format=json')
  expect(file.headers['content-disposition']).toContain('events.json')
  expect(file.json()).toMatchObject([{ type: 'key.disabled', partner_id: 'tester' }])
  expect(await write('/events/redeliver', { delivery: 'delivery_x' })).toMatchObject({ status: 404 })
  expect((await read('/events?show=mails')).text).toContain('No mail server is configured')
})

test('the offer shows packages with their holders, charges and YAML', async () => {
  const { text } = await read('/offer')
  const names = async (sort: string) =>
    ((await get(`/console/offer?sort=${sort}&format=json`, operator)).json() as { name: string }[]).map(
      ({ name }) => name,
    )
  expect(await names('package,desc')).toEqual((await names('package,asc')).toReversed())
  expect((await read('/offer?sort=rate,desc')).text).toContain('/console/offer?sort=rate%2Cdesc&amp;format=csv')
  expect(text).toContain('<a href="/console/partners/tester">Tester</a>')
  expect(text).toMatch(/listReviews<\/th><td[^>]*>1 unit for a call</)
  expect(text).toMatch(/growth:\n {4}permissions:\n {6}- locations/)
})

test('settings show value and origin, and owners test mail and provider', async () => {
  const changed = (await read('/settings')).text
  // The world passes no sources of its settings.
  expect(changed).toContain('All settings have their defaults.')
  expect(changed).toContain('The check of the configuration has no warnings.')
  const all = (await read('/settings?show=all')).text
  expect(all).toMatch(
    /<code>server.logLevel<\/code><\/th><td[^>]*><span class="datum">silent<\/span><\/td><td[^>]*>default</,
  )
  expect(await write('/settings/test-mail', {})).toMatchObject({ status: 403 })
  const owner = cookieOf(await open('owner2@example.org', '--role', 'owner'))
  expect((await write('/settings/test-mail', {}, owner)).text).toContain('No mail server is configured.')
  expect((await write('/settings/test-oidc', {}, owner)).text).toContain('No provider is configured.')
})

test("the operator's own webhook is added, tested, changed, paused, rotated and removed; those of partners are not", async () => {
  const path = '/events/webhooks'
  expect((await read('/events?show=webhooks')).text).toContain(`href="/console${path}/new"`)
  expect((await read('/events?show=webhooks', support)).text).not.toContain(`href="/console${path}/new"`)
  expect(await read(`${path}/new`, support)).toMatchObject({ status: 403 })
  const types = ['backup.failed', 'key.created']
  const wrong = await write(`${path}/new`, { url: 'http://', types })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('id="field-url-error"')
  const added = await write(`${path}/new`, { url: receiver.url, types })
  const [secret] = /whsec_[\w+/=]+/.exec(added.text)!
  const [, id] = /events\/webhooks\/([\w-]{8,})"/.exec(added.text)!
  expect(await run('webhooks', 'show', id!)).not.toHaveProperty('partner_id')
  const page = async () => (await read(`${path}/${id}`)).text
  const revision = async () => /name="revision" value="(\d+)"/.exec(await page())![1]!
  const act = async (name: string, fields: Fields = {}) =>
    write(`${path}/${id}/${name}`, { revision: await revision(), ...fields })
  expect((await act('test')).text).toContain('The receiver accepted the test: 204')
  await run('keys', 'create', '--partner', 'tester', '--package', 'discover')
  await eventually(async () => expect(await page()).toContain('badge good">Delivered'))
  const [, delivery] = /name="delivery" value="([^"]+)"/.exec(await page())!
  expect(await act('redeliver', { delivery: delivery! })).toMatchObject({ status: 303 })
  expect(await act('edit', { url: receiver.url, types: [] })).toMatchObject({ status: 422 })
  expect(await act('edit', { url: receiver.url, types: ['key.created'] })).toMatchObject({ status: 303 })
  const stale = await write(`${path}/${id}/edit`, { revision: '1', url: receiver.url, types })
  expect(stale.status).toBe(412)
  expect(stale.text).toContain('now “key.created”.')
  expect(await act('state', { state: 'paused' })).toMatchObject({ status: 303 })
  expect(await page()).toContain('Paused')
  const rotated = await act('rotate')
  expect(rotated.text).toMatch(/whsec_/)
  expect(rotated.text).not.toContain(secret)
  for (const name of ['state', 'rotate', 'remove'])
    expect(await write(`${path}/${id}/${name}`, { revision: '1', state: 'active' })).toMatchObject({ status: 412 })
  expect(await act('remove')).toMatchObject({ status: 303 })
  expect(await read(`${path}/${id}`)).toMatchObject({ status: 404 })
  const theirs = await run(
    'webhooks',
    'add',
    'https://own.tester.example/',
    '--type',
    'key.disabled',
    '--partner',
    'tester',
  )
  expect(await read(`${path}/${theirs.id}`)).toMatchObject({ status: 404 })
  for (const name of ['test', 'edit', 'state', 'rotate', 'remove'])
    expect(await write(`${path}/${theirs.id}/${name}`, { revision: '1' })).toMatchObject({ status: 404 })
})
