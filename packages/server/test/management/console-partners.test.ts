/** The pages of the console about partners, their keys and their users, over HTTP. */
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { startWorld } from '../world.ts'
import { type Fields, pageClient } from './page-client.ts'
import { fieldsOf } from './page-forms.ts'

const world = await startWorld({}, 'empty')
afterAll(() => world.close())
const { run, get, post, open, cookieOf, pathOf } = pageClient(world)
const operator = cookieOf(await open('operator@example.org', '--role', 'operator'))
const support = cookieOf(await open('support@example.org', '--role', 'support'))

const read = (path: string) => get(`/console${path}`, operator)
const write = (path: string, fields: Fields, cookie = operator) => post(`/console${path}`, fields, { cookie })
let partner = ''
let key = ''

test('a partner is created, found and listed with its figures', async () => {
  const blank = await write('/partners/new', { name: ' ', email: '', external_ref: 'crm 7' })
  expect(blank.status).toBe(422)
  expect(blank.text).toContain('Name must not be empty.')
  expect(blank.text).toContain('value="crm 7"')
  const created = await write('/partners/new', { name: 'Acme <Ltd>', email: 'a@acme.example', external_ref: 'crm 7' })
  expect(created.status).toBe(303)
  partner = created.headers.location!.split('/').at(-1)!
  const page = await read(`/partners/${partner}`)
  expect(page.text).toContain('<h1>Acme &lt;Ltd&gt;</h1>')
  const list = await read('/partners?q=CRM')
  expect(list.text).toContain(`href="/console/partners/${partner}"`)
  expect(list.text).not.toContain('href="/console/partners/tester"')
  const csv = await read('/partners?format=csv')
  expect(csv.headers['content-disposition']).toContain('partners.csv')
  expect(csv.text).toContain(`${partner},Acme <Ltd>,{},{},1,open,`)
  const found = (await read('/partners?q=crm&format=json')).json()
  expect(found).toMatchObject([{ id: partner, name: 'Acme <Ltd>', live_keys: 0, units_30_days: 0 }])
  expect((await read('/partners?q=nobody')).text).toContain('No partner found')
})

test('lists are sorted by links in the heads of their columns', async () => {
  const page = await read('/partners?state=open&sort=name,desc')
  expect(page.text).toContain('<th scope="col" class="name" aria-sort="descending">')
  expect(page.text).toContain('href="/console/partners?state=open&amp;sort=name%2Casc"')
  expect(page.text).toContain('href="/console/partners?state=open&amp;sort=units%2Cdesc"')
  expect(page.text).toContain('<input type="hidden" name="sort" value="name,desc">')
  expect(page.text).toContain('periplus partners list --sort name,desc')
  expect(page.text).toContain('GET /admin/v1/partners?state=open&amp;sort=name%2Cdesc')
  const names = async (sort: string) =>
    ((await read(`/partners?sort=${sort}&format=json`)).json() as { name: string }[]).map(({ name }) => name)
  expect(await names('name,asc')).toEqual((await names('name,desc')).toReversed())
  const listed = await run('partners', 'list', '--sort', 'name,desc')
  expect(listed).toMatchObject({ partners: (await names('name,desc')).map(name => ({ name })) })
  const paths = ['/partners', '/partners/tester', '/upgrades', '/imports', '/audit', '/events', '/places', '/usage']
  for (const path of [...paths, '/versions']) {
    const refused = await read(`${path}?sort=colour`)
    expect([path, refused.status, refused.text]).toEqual([path, 400, expect.stringContaining('<p>sort must be ')])
  }
  const changes = async (query: string) => (await read(`/audit?${query}format=json`)).json() as unknown[]
  expect((await changes('sort=time,asc&'))[0]).toEqual((await changes('')).at(-1))
})

test('terms are changed; a wrong value is marked, and a lost update shows both values', async () => {
  const path = `/partners/${partner}/edit`
  const fields = fieldsOf((await read(path)).text, `/console${path}`)
  const scope = { 'scope.countries': 'es, pt', 'scope.sources': 'City data, osm' }
  const given = { package: 'growth', live_keys_max: '3', 'agreement.quota': '200,000', ...scope }
  const long = await write(path, { ...fields, ...given, 'scope.sources': 'x'.repeat(201) })
  expect([long.status, long.text]).toEqual([
    422,
    expect.stringContaining('Names of sources must have at most 200 characters.'),
  ])
  const wrong = await write(path, { ...fields, ...given, 'agreement.search_rate': 'much' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Search rate must be a number greater than 0 and at most 1000000.')
  expect(wrong.text).toContain('value="200,000"')
  expect(await write(path, { ...fields, ...given, zone: 'Europe/Madrid' })).toMatchObject({ status: 303 })
  expect((await read('/partners?q=CRM')).text).toContain('data-label="Packages">growth</td>')
  const stored = fieldsOf((await read(path)).text, `/console${path}`)
  expect(stored).toMatchObject({
    revision: '2',
    package: 'growth',
    live_keys_max: '3',
    zone: 'Europe/Madrid',
    'agreement.quota': '200000',
    'scope.countries': 'ES, PT',
    'scope.sources': 'City data, osm',
  })
  const lost = await write(path, { ...fields, ...given, name: 'Acme Two' })
  expect(lost.status).toBe(412)
  expect(lost.text).toContain('Someone else changed this')
  expect(lost.text).toContain('value="Acme Two"')
  expect(lost.text).toContain('now “Acme &lt;Ltd&gt;”.')
  expect(lost.text).toContain('now “Europe/Madrid”.')
  const again = fieldsOf(lost.text, `/console${path}`)
  expect(await write(path, { ...again, 'scope.sources': '', name: 'Acme Two' })).toMatchObject({ status: 303 })
})

test('a key is created with its secret shown once, rotated, changed and disabled', async () => {
  const path = `/partners/${partner}/keys/new`
  const form = await read(path)
  const fields = fieldsOf(form.text, `/console${path}`)
  expect(fields).toMatchObject({ kind: 'live', package: 'growth', 'agreement.quota': '200000' })
  const refused = await write(path, { ...fields, networks: '300.1.1.1' })
  expect(refused).toMatchObject({ status: 422 })
  expect(refused.text).toContain('300.1.1.1 is not')
  const made = await write(path, { ...fields, name: 'Web shop', add_ons: ['feeds'], 'scope.countries': '' })
  const [secret] = /peri_live_\w+/.exec(made.text)!
  key = /keys\/(key_[\w-]+)/.exec(made.text)![1]!
  expect((await world.get('/account', { key: secret })).json()).toMatchObject({ data: { package: 'growth', id: key } })
  const page = await read(`/partners/${partner}/keys/${key}`)
  expect(page.text).not.toContain(secret)
  expect(page.text).toContain(`…${secret.slice(-4)}`)
  expect(page.text).toContain('Daily units')
  const own = `/partners/${partner}/keys/${key}`
  const rotation = fieldsOf(page.text, `/console${own}/rotate`)
  const rotated = await write(`${own}/rotate`, { ...rotation, overlap: '0' })
  const [second] = /peri_live_\w+/.exec(rotated.text)!
  expect(second).not.toBe(secret)
  expect(await write(`${own}/rotate`, { ...rotation, overlap: '0' })).toMatchObject({ status: 412 })
  const terms = fieldsOf((await read(own)).text, `/console${own}`)
  expect(terms).toMatchObject({ name: 'Web shop', package: 'growth', add_ons: ['feeds'] })
  expect(await write(own, { ...terms, 'agreement.quota': '7', notes: 'on trial' })).toMatchObject({ status: 303 })
  const lost = await write(own, { ...terms, notes: 'another' })
  expect(lost.status).toBe(412)
  expect(lost.text).toContain('on trial')
  expect(await write(own, { ...terms, 'agreement.quota': '-1' })).toMatchObject({ status: 422 })
  expect((await run('keys', 'show', key)) as object).toMatchObject({
    notes: 'on trial',
    add_ons: ['feeds'],
    limits: { quota: { value: 7, source: 'agreement' } },
  })
  const now = fieldsOf((await read(own)).text, `/console${own}/state`)
  expect(await write(`${own}/state`, { ...now, state: 'disabled' })).toMatchObject({ status: 303 })
  await eventually(async () => expect((await world.get('/account', { key: second })).status).toBe(401))
})

test('the pin of a feed is moved after a preview, and moved back', async () => {
  const own = `/partners/${partner}/keys/${key}`
  const path = `${own}/feeds/locations`
  const [version] = /<option value="([^"]+)"/.exec((await read(path)).text)!.slice(1)
  const preview = await read(`${path}?version=${version}`)
  expect(preview.text).toContain(`Move to version ${version}`)
  const fields = fieldsOf(preview.text, `/console${path}/move`)
  expect(await write(`${path}/move`, fields)).toMatchObject({ status: 303 })
  expect(await write(`${path}/move`, fields)).toMatchObject({ status: 412 })
  expect((await read(own)).text).toMatch(new RegExp(`Places</th><td[^>]*>${version}<`))
  const undo = fieldsOf((await read(own)).text, `/console${path}/undo`)
  expect(await write(`${path}/undo`, undo)).toMatchObject({ status: 303 })
  expect((await read(own)).text).toMatch(/Places<\/th><td[^>]*>1</)
})

test('keys of other partners are unknown below a partner', async () => {
  const foreign = await read(`/partners/tester/keys/${key}`)
  expect(foreign.status).toBe(404)
  expect(await write(`/partners/tester/keys/${key}/state`, { revision: '4', state: 'revoked' })).toMatchObject({
    status: 404,
  })
  expect((await read('/partners/tester/keys/key_x')).text).toBe(foreign.text)
  expect((await read(`/partners/tester/keys/${key}/feeds/locations`)).status).toBe(404)
})

test('a user is invited by a link that is shown where no mail server is configured', async () => {
  const path = `/partners/${partner}/invite`
  expect((await write(path, { email: 'nobody', role: 'admin' })).text).toContain('must be an e-mail address')
  const invited = await write(path, { email: 'ann@acme.example', role: 'member' })
  const [link] = /http:[^<"]+\/portal\/link\/[\w-]+/.exec(invited.text)!
  expect(await post(pathOf(link), { password: 'correct horse battery' })).toMatchObject({ status: 303 })
  const page = await read(`/partners/${partner}`)
  expect(page.text).toContain('ann@acme.example')
  expect(page.text).toContain('>member<')
  const sorted = await read(`/partners/${partner}?sort=peak,desc`)
  expect(sorted.text).toContain('<th scope="col" aria-sort="descending">')
  expect(sorted.text).toContain(`href="/console/partners/${partner}?sort=name%2Casc#users"`)
  expect(sorted.text).toContain(`href="/console/partners/${partner}?sort=peak%2Cdesc&amp;list=users&amp;format=csv"`)
  expect((await read(`/partners/${partner}?sort=billable,asc`)).status).toBe(200)
  const exported = await read(`/partners/${partner}?list=users&format=json`)
  expect(exported.json()).toMatchObject([{ email: 'ann@acme.example', memberships: [{ role: 'member' }] }])
  expect((await read(`/partners/${partner}?format=json`)).json()).toMatchObject([{ id: key, peak_day_units: 0 }])
})

test('support reads, adds notes and sees no buttons; closing revokes the keys', async () => {
  const page = (await get(`/console/partners/${partner}`, support)).text
  expect(page).not.toContain('New key')
  expect(page).not.toContain('Edit terms')
  const noted = await write(`/partners/${partner}/notes`, { text: 'Called <today>' }, support)
  expect(noted.headers.location).toBe(`/console/partners/${partner}#notes`)
  expect((await read(`/partners/${partner}`)).text).toContain('Called &lt;today&gt;')
  expect(await write(`/partners/${partner}/close`, { revision: '3' }, support)).toMatchObject({ status: 403 })
  const fields = fieldsOf((await read(`/partners/${partner}/edit`)).text, `/console/partners/${partner}/close`)
  expect(await write(`/partners/${partner}/close`, fields)).toMatchObject({ status: 303 })
  expect((await read(`/partners/${partner}/keys/${key}`)).text).toContain('Revoked')
  const open = fieldsOf((await read(`/partners/${partner}/edit`)).text, `/console/partners/${partner}/open`)
  expect(await write(`/partners/${partner}/open`, open)).toMatchObject({ status: 303 })
  const statement = await read(`/partners/${partner}/statements/2026-01`)
  expect(statement.headers['content-disposition']).toContain('statement-')
  expect((await read(`/partners/${partner}/statements/2026-13`)).status).toBe(400)
})
