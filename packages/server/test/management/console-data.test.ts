/** The pages of the console for reviews, imports, feeds and versions. */
import { afterAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { everything } from '../../src/domain/visibility.ts'
import { newJobId } from '../../src/usecases/admin/new-job-id.ts'
import { eventually } from '../eventually.ts'
import { type Reply, send } from '../http-client.ts'
import { actor, startWorld } from '../world.ts'
import { type Fields, pageClient, type UploadedFile } from './page-client.ts'

const world = await startWorld({
  'imports.uploadMb': 1,
  versions: { 1: { deprecated: '2026-01-01', sunset: '2099-01-01' } },
})
const engine = openConfiguredEngine(world.config, { create: false })
afterAll(async () => {
  await engine.close()
  await world.close()
})
const client = pageClient(world)
const owner = await client
  .run('users', 'link', '--owner')
  .then(({ link }) => client.post(client.pathOf(link), { email: 'o@example.org', password: client.password }))
  .then(client.cookieOf)
const support = client.cookieOf(await client.open('support@example.org', '--role', 'support'))
const get = (path: string, cookie = owner): Promise<Reply> => client.get(`/console${path}`, cookie)
const post = (path: string, fields: Fields, cookie = owner): Promise<Reply> =>
  client.post(`/console${path}`, fields, { cookie })

const reviewIds = ({ text }: Reply) =>
  [...text.matchAll(/type="checkbox" name="id" value="(\d+)"/g)].map(match => Number(match[1]))

test('reviews are listed newest first, of one place, and by id', async () => {
  const all = reviewIds(await get('/reviews'))
  expect(all.slice(0, 3)).toEqual([...all].sort((a, b) => b - a).slice(0, 3))
  expect(reviewIds(await get('/reviews?place=2'))).toEqual([103, 102, 101])
  expect(reviewIds(await get('/reviews?id=104'))).toEqual([104])
  for (const query of ['id=999', 'id=x', 'place=x', 'place=999'])
    expect((await get(`/reviews?${query}`)).text).toContain('No reviews here')
  expect((await get('/reviews?state=hidden')).text).toContain('Nothing is hidden')
  const exported = async (query: string) =>
    ((await get(`/reviews?format=json${query}`)).json() as { id: string }[]).map(({ id }) => Number(id))
  expect(await exported('')).toEqual(expect.arrayContaining(all))
  expect(await exported('&place=2')).toEqual([103, 102, 101])
  expect(await exported('&place=2&after=102')).toEqual([101])
  const seen = await get('/reviews', support)
  expect(seen.text).toContain('Le meilleur café.')
  expect(seen.text).not.toContain(`type="checkbox"`)
  expect(await post('/reviews/hide', { id: '101', reason: 'x' }, support)).toMatchObject({ status: 403 })
})

/** Waits until a job has ended. */
const ended = (id: string) =>
  eventually(async () => expect((await engine.jobs.find(id))?.endedMs).toEqual(expect.any(Number)))

const scan = async (...flags: readonly string[]) => {
  const { scan: id } = await client.run('reviews', 'scan', ...flags)
  return reviewIds(await get(`/reviews?scan=${id}`))
}

test('scans find reviews by text and user as jobs, whose results are hidden at once (R-119)', async () => {
  const form = await get('/reviews/scan')
  expect(form.text).toContain('Start scan')
  expect((await get('/reviews/scan', support)).status).toBe(403)
  for (const [fields, error] of [
    [{ text: ' ' }, 'Title or text contains must not be empty'],
    [{ user: 'u1' }, 'source:'],
  ] as const) {
    const refused = await post('/reviews/scan', fields)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(error)])
  }
  const started = await post('/reviews/scan', { text: 'MEILLEUR' })
  const path = started.headers.location!.replace('/console', '')
  const id = path.split('=')[1]!
  await ended(id)
  expect((await get(path)).text).toMatch(/Read \d+ reviews and found 1\./)
  expect(reviewIds(await get(path))).toEqual([101])
  expect((await get(`${path}&format=json`)).json()).toMatchObject([{ id: '101' }])
  expect((await get('/reviews/scan')).text).toContain(path)
  expect([await scan('--text', '"\\'), await scan('--user', 'voices:u1'), await scan('--text', 'vine')]).toEqual([
    [],
    [101],
    [104],
  ])
  expect(await scan('--user', 'voices:u1', '--text', 'coffee')).toEqual([])
  const job = await client.run('jobs', 'show', id)
  expect(job).toMatchObject({ kind: 'scan', request: { state: 'shown', by: ['text'] }, result: { found: 1 } })
  expect(JSON.stringify(await client.run('audit', 'list', '--limit', '200'))).not.toContain('MEILLEUR')

  expect((await post('/reviews/hide-found', { back: `?scan=${id}`, reason: ' ' })).text).toContain('Say why')
  const hiding = await post('/reviews/hide-found', { back: `?scan=${id}`, reason: 'Ad.' })
  expect(hiding).toMatchObject({ status: 303, headers: { location: `/console${path}` } })
  await ended((await engine.jobs.list({ kind: 'moderation', limit: 1 }))[0]!.id)
  expect((await get(path)).text).toContain('1 of 1 review is now hidden.')
  expect((await client.run('reviews', 'list', '--scan', id)).reviews).toMatchObject([
    { state: 'hidden', reason: 'Ad.' },
  ])
  expect(await client.run('reviews', 'show', '--scan', id)).toEqual({ scan: id, found: 1, changed: 1 })
  expect((await get(`/reviews?scan=job_none`)).text).toContain('This scan does not exist')
})

test('chosen reviews are hidden with a reason and shown again', async () => {
  const back = '?place=2'
  expect((await post('/reviews/hide', { back, reason: 'Spam.' })).text).toContain('Choose the reviews first.')
  const refused = await post('/reviews/hide', { id: ['101', '102'], back, reason: ' ' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('value="101" aria-label="Review 101" checked')
  expect(reviewIds(refused)).toEqual([103, 102, 101])
  const hidden = await post('/reviews/hide', { id: ['101', '102', '999', 'x'], back, reason: 'Spam <b>.' })
  expect(hidden).toMatchObject({ status: 303, headers: { location: '/console/reviews?place=2' } })
  expect(decodeURIComponent(hidden.headers['set-cookie']![0]!)).toContain('2 reviews are hidden. 1 review had been')
  const list = await get('/reviews?state=hidden')
  expect(reviewIds(list)).toEqual([102, 101])
  expect(list.text).toContain('Hidden because: Spam &lt;b&gt;.')
  expect((await client.run('reviews', 'list', '--hidden')).reviews).toMatchObject([{}, { reason: 'Spam <b>.' }])
  expect(reviewIds(await get('/reviews?place=2'))).toEqual([103])
  await post('/reviews/show', { id: ['101', '102'], reason: 'A mistake.' })
  expect(reviewIds(await get('/reviews?place=2'))).toEqual([103, 102, 101])
})

test('an owner erases reviews, and all reviews of their users, after a second look', async () => {
  const { scan: found } = await client.run('reviews', 'scan', '--text', 'le')
  const look = await get('/reviews/erase?id=101&id=103&id=999&back=%3Fplace%3D2')
  for (const text of [
    'Erase 2 reviews',
    'Le meilleur café.',
    'Also erase all other reviews of this user',
    'name="ids" value="101,103"',
  ])
    expect(look.text).toContain(text)
  expect(await get('/reviews/erase?id=101', support)).toMatchObject({ status: 403 })
  const erased = await post('/reviews/erase', { ids: '101,103', users: 'yes', back: '?place=2' })
  expect(erased).toMatchObject({ status: 303, headers: { location: '/console/reviews?place=2' } })
  expect(reviewIds(await get('/reviews?place=2'))).toEqual([102])
  expect((await get('/reviews/erase?id=101')).text).toContain('No review is chosen')
  expect((await get(`/reviews?scan=${found}`)).text).toContain('was removed by an erasure')
  const { lines } = await engine.audit.list({ visibility: everything, limit: 5 })
  expect(lines.map(({ action }) => action)).toEqual(expect.arrayContaining(['reviewer.erase', 'review.erase']))
})

const upload = (fields: Fields, file?: UploadedFile, cookie = owner): Promise<Reply> =>
  client.upload('/console/imports/new', fields, file, cookie)

test('an upload is refused without changing anything if the form is wrong', async () => {
  const file = { name: 'p.csv', text: 'source_id,name,lat,lon\n1,A,1,1\n' }
  const filled = await get('/imports/new?source=maps&map=name%3Dtitle')
  expect(filled.text).toContain('value="maps"')
  expect(filled.text).toContain('>name=title</textarea>')
  const wrong: [fields: Record<string, string>, sent: typeof file | undefined, says: string][] = [
    [{ mode: 'check', source: 'maps' }, undefined, 'File must not be empty'],
    [{ mode: 'check' }, { ...file, name: '' }, 'File must not be empty'],
    [{ source: 'maps' }, file, 'must not be empty'],
    [{ mode: 'import', map: 'nonsense' }, file, 'nonsense'],
    [{ mode: 'import', map: 'taste=name' }, file, 'taste'],
    [{ mode: 'import', replace: 'yes' }, file, 'full sync'],
  ]
  for (const [fields, sent, says] of wrong) {
    const refused = await upload(fields, sent)
    expect([fields, refused.status, refused.text.includes(says)]).toEqual([fields, 422, true])
  }
  expect(await upload({ mode: 'check' }, { ...file, text: 'x'.repeat(1_100_000) })).toMatchObject({ status: 413 })
  const headers = { cookie: owner, 'content-type': 'multipart/form-data; boundary=b' }
  const torn = await send(world.url, '/console/imports/new', { method: 'POST', headers, body: 'no form' })
  expect(torn.status).toBe(400)
  expect(await post('/imports/new', { mode: 'check' })).toMatchObject({ status: 406 })
  expect(await upload({ mode: 'check' }, file, support)).toMatchObject({ status: 403 })
  expect((await get('/imports')).text).toContain('No imports yet')
})

test('an uploaded file is checked first; its page shows counts, unused columns and rejected rows by reason', async () => {
  const rows = ['s1,Inn,48,11,9', 's2,,48,11,9', 's3,Far,99,11,9', 's4,Farther,98,11,9']
  const text = `source_id,name,lat,lon,tickets\n${rows.join('\n')}\n`
  const sent = await upload({ mode: 'check', source: 'maps', force: 'yes' }, { name: 'C:\\data\\places.csv', text })
  expect(sent).toMatchObject({ status: 303, headers: { location: expect.stringMatching(/^\/console\/imports\/job_/) } })
  const path = sent.headers.location!.slice('/console'.length)
  const page = await eventually(async () => {
    const reply = await get(path)
    expect(reply.text).toMatch(/>(Done|Failed)</)
    return reply
  })
  for (const part of [
    'places.csv',
    'Nothing was changed',
    'missing_name',
    'latitude_out_of_range',
    'tickets',
    'Run again',
    'aria-label="Map of 1 accepted row and 1 rejected row"',
    'Accepted places by country',
  ])
    expect(page.text).toContain(part)
  const far = await get(`${path}?reason=latitude_out_of_range`)
  expect(far.text).toContain('s3,Far,99,11,9')
  expect(far.text).not.toContain('s2,,48,11,9')
  expect((await get('/imports', support)).text).toContain('Dry run')
  const exported = JSON.parse((await get('/imports?format=json', support)).text)
  expect(exported[0]).toMatchObject({ kind: 'import', request: { dry_run: true } })
  expect((await get(path, support)).text).not.toContain('Run again')
  expect(await post(`${path}/cancel`, {})).toMatchObject({ status: 409 })
  const other = client.cookieOf(await client.open('other@example.org', '--role', 'operator'))
  const again = { status: 303, headers: { location: '/console/imports/new' } }
  expect((await get(path, other)).text).toContain('upload the file again')
  expect(await post(`${path}/import`, {}, other)).toMatchObject(again)
  expect(await post(`${path}/import`, {}, support)).toMatchObject({ status: 403 })
  expect(page.text).toContain(`action="/console${path}/import"`)
  const started = await post(`${path}/import`, {})
  const real = started.headers.location!.slice('/console'.length)
  expect(real).toMatch(/^\/imports\/job_/)
  await eventually(async () => expect((await get(real)).text).toMatch(/>(Done|Failed)</))
  const job = (await client.run('imports', 'show', real.slice('/imports/'.length))) as unknown
  expect(job).toMatchObject({
    state: 'done',
    request: { files: ['places.csv'], source: 'maps', dry_run: false, force: true },
  })
  // The index follows the import.
  await eventually(async () =>
    expect((await get('/places?source=maps&format=json')).json()).toMatchObject([{ name: 'Inn', source: 'maps' }]),
  )
  expect(await post(`${path}/import`, {})).toMatchObject(again)
  expect((await get(path)).text).toContain('upload the file again')
  expect(await get('/imports/job_unknown')).toMatchObject({ status: 404 })
})

test('feeds show their editions, are built by a job, and a snapshot is withdrawn with a reason', async () => {
  expect((await get('/feeds')).text).toContain('No snapshots yet')
  expect(await post('/feeds/build', { version: '9' })).toMatchObject({ status: 422 })
  expect(await post('/feeds/build', { feed: 'enums' }, support)).toMatchObject({ status: 403 })
  const running = await engine.jobs.start({ id: newJobId(), kind: 'feeds', actor, request: {}, createdMs: Date.now() })
  expect((await post('/feeds/build', {})).text).toContain('running already')
  await running.end({ state: 'done' })
  expect(await post('/feeds/build', { feed: 'enums', version: '1', kind: 'full' })).toMatchObject({ status: 303 })
  const page = await eventually(async () => {
    const reply = await get('/feeds')
    expect(reply.text).toContain('>Withdraw<')
    return reply
  })
  const [exported] = (await get('/feeds?format=json', support)).json() as object[]
  expect(exported).toMatchObject({ feed: 'enums', version: '1', kind: 'full' })
  const editions = async (sort: string) =>
    ((await get(`/feeds?sort=${sort}&list=editions&format=json`)).json() as { feed: string }[]).map(({ feed }) => feed)
  expect([(await editions('size,desc'))[0], (await editions('feed,desc'))[0]]).toEqual(['enums', 'enums'])
  expect((await editions('size,asc')).at(-1)).toBe('enums')
  expect((await get('/feeds?sort=newest,desc')).text).toMatch(/aria-sort="descending"><a [^>]*>Newest snapshot/)
  expect((await get('/feeds?list=downloads&format=csv')).text).toMatch(/^key,partner,locations,/)
  expect((await get('/feeds?sort=colour,asc')).status).toBe(400)
  const [, path] = /href="\/console(\/feeds\/withdraw\?[^"]*)"/.exec(page.text)!
  const form = await get(path!.replaceAll('&amp;', '&'))
  const snapshot = /name="snapshot" value="([^"]*)"/.exec(form.text)![1]!
  const sent = { feed: 'enums', version: '1', snapshot }
  expect((await get('/feeds', support)).text).not.toContain('Withdraw')
  expect(await post('/feeds/withdraw', { ...sent, reason: ' ' })).toMatchObject({ status: 422 })
  expect(await post('/feeds/withdraw', { ...sent, reason: 'Wrong names.' })).toMatchObject({ status: 303 })
  expect(await post('/feeds/withdraw', { ...sent, reason: 'Again.' })).toMatchObject({ status: 410 })
  expect(await get('/feeds/withdraw?feed=enums&version=1&snapshot=none')).toMatchObject({ status: 404 })
})

test('versions show who breaks when one ends; a notice reaches each of them once a day', async () => {
  await world.get('/locations/2?version=1')
  await world.get('/locations/2')
  const page = await eventually(async () => {
    const reply = await get('/versions')
    expect(reply.text).toMatch(/1 partner<\/button>/)
    return reply
  })
  for (const text of ['Version 1: who breaks', 'Tester', 'Calls without a version']) expect(page.text).toContain(text)
  const drawing = page.text.split('aria-label="Timeline of versions"')[1]!.split('class="legend"')[0]!
  for (const part of [
    'class="served"',
    'class="deprecated"',
    'class="now"',
    '>Used by Tester: 2 calls in 30 days</span>',
  ])
    expect(drawing).toContain(part)
  for (const day of ['2024-11-06', '2026-01-01', '2099-01-01']) expect(page.text).toContain(`<time datetime="${day}`)
  const used = (await get('/versions?format=json')).json() as object[]
  expect(used).toContainEqual(expect.objectContaining({ name: '1', partner_id: 'tester', calls_30_days: 2 }))
  for (let i = 0; i < 2; i++)
    expect(await post('/versions/1/notice', {})).toMatchObject({
      status: 303,
      headers: { location: '/console/versions' },
    })
  const { rows } = await engine.webhooks.events({ visibility: everything, types: ['version.sunset_near'], limit: 10 })
  expect(rows).toMatchObject([{ partnerId: 'tester', data: { version: '1' } }])
  expect(await post('/versions/2/notice', {})).toMatchObject({ status: 400 })
  expect(await post('/versions/1/notice', {}, support)).toMatchObject({ status: 403 })
  const plan = await get('/versions?version=2&deprecated=2027-01-01&sunset=2027-06-01')
  for (const text of ['deprecated: &quot;2027-01-01&quot;', 'fewer than 365 days']) expect(plan.text).toContain(text)
  expect((await get('/versions?version=2&deprecated=2027-01-01&sunset=2026-01-01')).text).toContain('on or after')
  expect((await get('/versions?version=2&sunset=soon')).text).toContain('Enter a date')
})
