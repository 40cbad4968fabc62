/** Suggested edits of places: from the page of a place to the decision of the operator. */
import { afterAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { periplus } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { importRows, startWorld } from '../world.ts'
import { adminClient, createToken } from './admin-client.ts'
import { type Fields, pageClient } from './page-client.ts'

const world = await startWorld({ 'site.places': true })
const engine = openConfiguredEngine(world.config, { create: false })
afterAll(async () => {
  await engine.close()
  await world.close()
})
const client = pageClient(world)
const admin = adminClient(world, await createToken(world))
const signIn = async (email: string, ...flags: string[]) => client.cookieOf(await client.open(email, ...flags))
const member = await signIn('member@example.org', '--role', 'member', '--partner', 'tester')
const operator = await signIn('operator@example.org', '--role', 'operator')
const support = await signIn('support@example.org', '--role', 'support')

const form = '/portal/tester/suggestions/new'
const suggest = (place: number, kind: string, fields: Fields) =>
  client.post(form, { place: String(place), kind, comment: '', ...fields }, { cookie: member })
const location = async (id: bigint) => (await engine.locations.get(id))!.location()
/** Returns the open suggestions for a place. */
const openAt = async (place: number) =>
  (await admin.get(`/suggestions?state=open&location_id=${place}`)).body.data as readonly Record<string, unknown>[]
const list = async (cookie: string, path: string) => (await client.get(path, cookie)).text
const command = (...args: string[]) => periplus(['suggestions', ...args, '--data', world.config.data])

test('the page of a place leads to the form, through the sign-in; staff to the place in the console', async () => {
  // The page waits for the index, which the start builds.
  await eventually(async () =>
    expect((await client.get('/places/1')).text).toContain('href="/portal/suggest/1" rel="nofollow"'),
  )
  const to = async (cookie?: string) => (await client.get('/portal/suggest/1', cookie)).headers.location
  expect(await to()).toBe('/portal/sign-in?to=%2Fportal%2Fsuggest%2F1')
  expect(await to(member)).toBe(`${form}?place=1`)
  expect(await to(operator)).toBe('/console/places/1')
  expect((await client.get(form, member)).text).toContain('name="place"')
  expect((await client.get(`${form}?place=1`, member)).text).toContain(`${form}?place=1&amp;kind=hours`)
  const { text } = await client.get(`${form}?place=1&kind=phone`, member)
  expect(text).toContain('+34 910 000 001</textarea>')
  expect((await client.get(`${form}?place=1&kind=position`, member)).text).toContain('data-map')
})

test('each wrong input has a sentence, and stores nothing', async () => {
  const cases: [place: number, kind: string, fields: Fields, status: number, sentence: string][] = [
    [1, 'phone', { phones: '+34 910 000 001' }, 422, 'The place already has these values.'],
    [1, 'phone', { phones: '' }, 422, 'If the place has none'],
    [1, 'website', { official: 'javascript:alert(1)', menu: '' }, 422, 'must begin with http'],
    [1, 'name', { names: 'x'.repeat(9000) }, 422, 'role="alert"'],
    [1, 'hours', { hours: 'when we like' }, 422, 'OpenStreetMap'],
    [1, 'other', { comment: 'x'.repeat(2001) }, 422, 'at most 2000 characters'],
    [1, 'duplicate', { duplicate_of: '1' }, 409, 'role="alert"'],
    [1, 'duplicate', { duplicate_of: '4711' }, 404, 'Location 4711 does not exist.'],
    [1, 'nonsense', {}, 422, 'Nothing was changed.'],
    [20, 'other', { comment: 'Hm' }, 409, 'merged into'],
    [30, 'other', { comment: 'Hm' }, 422, 'does not exist any more'],
  ]
  for (const [place, kind, fields, status, sentence] of cases) {
    const reply = await suggest(place, kind, fields)
    expect([kind, reply.status, reply.text.includes(sentence) || reply.text]).toEqual([kind, status, true])
  }
  const merged = await client.get(`${form}?place=20&kind=name`, member)
  expect(merged.headers.location).toBe(`${form}?place=21&kind=name`)
  expect((await client.get(`${form}?place=nonsense`, member)).text).toContain('No place has this id or address.')
  expect((await admin.get('/suggestions')).body.data).toEqual([])
})

test('an accepted suggestion wins over imports, and the user sees the decision', async () => {
  const comment = 'Moved <b>up</b> the hill https://evil.example'
  expect(await suggest(1, 'position', { latitude: '40.42381', longitude: '-3.692524', comment })).toMatchObject({
    status: 303,
    headers: { location: '/portal/tester/suggestions' },
  })
  const again = await suggest(1, 'position', { latitude: '41', longitude: '-3' })
  expect([again.status, again.text.includes('You have already suggested')]).toEqual([409, true])
  const [open] = await openAt(1)
  const page = `/console/suggestions/${open!.id}`
  expect(open).toMatchObject({ kind: 'position', state: 'open', partner_id: 'tester', comment })
  expect((await admin.get('/events?type=suggestion.created')).body.data).toMatchObject([
    { data: { suggestion_id: open!.id, location_id: '1', kind: 'position' } },
  ])
  const queue = await list(support, '/console/suggestions?kind=position&place=1')
  for (const part of ['Wrong position', 'Museo del Alba', '&lt;b&gt;up', 'data-live="suggestions"'])
    expect(queue).toContain(part)
  expect(await list(support, '/console/suggestions?kind=name')).toContain('No open suggestions')
  const detail = await list(support, page)
  for (const part of ['40.41381, -3.692524', '40.42381, -3.692524', '1.1 km from the position now'])
    expect(detail).toContain(part)
  expect(detail).not.toContain('/accept"')
  expect(detail).not.toContain('href="https://evil.example')
  expect((await client.post(`${page}/accept`, { revision: '1' }, { cookie: support })).status).toBe(403)
  const decided = await client.post(`${page}/accept`, { revision: '1', reason: 'Thank you' }, { cookie: operator })
  expect(decided.headers.location).toBe('/console/suggestions')
  const moved = { latitude: 40.423_81, longitude: -3.692_524 }
  expect((await location(1n)).coordinates).toEqual(moved)
  await importRows(world.config, 'location', [
    { id: 1, source: 'atlas', source_id: 'prado', name: 'Museo', lat: 40.4, lon: -3.7, category: 'museum' },
  ])
  expect((await location(1n)).coordinates).toEqual(moved)
  const own = await list(member, '/portal/tester/suggestions')
  for (const part of ['Accepted', 'Thank you', '&lt;b&gt;']) expect(own).toContain(part)
  const history = (await admin.get('/audit?limit=5')).body.data as Record<string, unknown>[]
  expect(history.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['location.override', 'suggestion.accept', 'suggestion.create']),
  )
})

test('commands and the admin API decide as the console does', async () => {
  await suggest(4, 'name', { names: 'First Diner' })
  await suggest(4, 'other', { comment: 'The photo shows a cat' })
  const [photo, name] = await openAt(4)
  expect((await admin.get(`/suggestions/${name!.id}`)).body).toMatchObject({
    values: { names: [{ value: 'First Diner', primary: true }] },
    current: { names: [{ value: 'Last Diner' }] },
  })
  expect((await command('list')).stdout).toContain(String(name!.id))
  expect((await command('show', String(name!.id))).stdout).toMatch(/names now +\[.*Last Diner.*names suggested/s)
  expect(await command('reject', String(photo!.id), '--reason', 'It is the owner')).toMatchObject({
    code: 0,
    stdout: `Suggestion ${photo!.id} is rejected.\n`,
  })
  const twice = await command('accept', String(photo!.id))
  expect([twice.code, twice.stderr]).toEqual([1, `Suggestion ${photo!.id} is already rejected.\n`])
  const { status, body } = await admin.send('POST', `/suggestions/${name!.id}/accept`, {})
  expect([status, body.state]).toEqual([200, 'accepted'])
  expect((await location(4n)).names[0]?.value).toBe('First Diner')
  expect((await admin.send('POST', `/suggestions/${name!.id}/reject`, { reason: 'No' })).status).toBe(409)
  expect((await admin.send('POST', '/suggestions/nothing/accept', {})).status).toBe(404)
})

test('a duplicate is merged; the suggestion of a place that has ended is refused with a sentence', async () => {
  await suggest(50, 'duplicate', { duplicate_of: `${world.url}/places/40` })
  await suggest(50, 'other', { comment: 'Hm' })
  const [other, duplicate] = await openAt(50)
  expect(await list(operator, `/console/suggestions/${duplicate!.id}`)).toContain('The place that stays')
  const merged = await command('accept', String(duplicate!.id))
  expect([merged.stderr, merged.stdout]).toEqual(['', expect.stringContaining('Location 50 is merged into 40.')])
  expect((await engine.locations.get(50n))?.id).toBe(40n)
  expect(await list(operator, `/console/suggestions/${other!.id}`)).toContain('cannot be')
  await suggest(60, 'name', { names: 'Gone soon' })
  const [gone] = await openAt(60)
  await periplus(['locations', 'remove', '60', '--reason', 'Never was', '--data', world.config.data])
  const page = `/console/suggestions/${gone!.id}`
  expect(await list(operator, page)).toContain('Place 60 was removed')
  const reply = await client.post(`${page}/accept`, { revision: '1' }, { cookie: operator })
  expect(reply.status).toBe(404)
  expect((await openAt(60)).length).toBe(1)
})

test('the suggestions of an erased user are gone', async () => {
  await client.run('users', 'erase', 'member@example.org')
  expect((await admin.get('/suggestions')).body.data).toEqual([])
})
