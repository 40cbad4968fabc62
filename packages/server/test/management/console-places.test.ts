/** The pages of the console for places: search, the origin of each field, overrides, merges. */
import { afterAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import type { Location } from '../../src/domain/location.ts'
import { overrideFields } from '../../src/domain/override.ts'
import { eventually } from '../eventually.ts'
import type { Reply } from '../http-client.ts'
import { startWorld } from '../world.ts'
import { pageClient } from './page-client.ts'

const world = await startWorld()
const engine = openConfiguredEngine(world.config, { create: false })
afterAll(async () => {
  await engine.close()
  await world.close()
})
const client = pageClient(world)
const [operator, support] = await Promise.all(
  ['operator', 'support'].map(async role => client.cookieOf(await client.open(`${role}@example.org`, '--role', role))),
)
const get = (path: string, cookie = operator): Promise<Reply> => client.get(`/console/places${path}`, cookie)
const post = (path: string, fields: Record<string, string>, cookie = operator!): Promise<Reply> =>
  client.post(`/console/places${path}`, fields, { cookie })
const location = async (id: bigint): Promise<Location> => (await engine.locations.get(id))!.location()

/** Returns the values of the first form of a page that is sent by POST to `action`. */
function formOf({ text }: Reply, action: string): Record<string, string> {
  const form = text.slice(text.indexOf(`action="${action}"`)).split('</form>')[0]!
  const toText = (value = '') =>
    value.replaceAll(
      /&(lt|gt|amp|quot|#39);/g,
      (_, name: string) => ({ lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" })[name]!,
    )
  const values: Record<string, string> = {}
  for (const [, tag] of form.matchAll(/<(input[^>]*)>/g))
    values[/name="([^"]*)"/.exec(tag!)![1]!] = toText(/value="([^"]*)"/.exec(tag!)?.[1])
  for (const [, name, value] of form.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)</g))
    values[name!] = toText(value)
  for (const [, name, options] of form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/g))
    values[name!] = /value="([^"]*)" selected/.exec(options!)![1]!
  return values
}

test('places are found by a text as partners find them, by filters and by id', async () => {
  await eventually(async () => expect((await get('')).text).toContain('Museo del Alba'))
  const names = async (query: string) =>
    [...(await get(query)).text.matchAll(/<th scope="row"[^>]*><a [^>]*>([^<]+)</g)].map(match => match[1])
  expect(await names('?q=zenith')).toEqual(['Café Zénith'])
  expect(await names('?category=HOTEL')).toEqual(expect.arrayContaining(['Gasthof Linde', '暁旅館']))
  expect(await names('?category=HOTEL&q=linde&source=atlas')).toEqual(['Gasthof Linde'])
  expect(await names('?source=gazette')).toHaveLength(2)
  expect(await names('?status=CLOSED')).toEqual(['Last Diner'])
  expect((await get('?q=qqqq')).text).toContain('Nothing found')
  expect(await get('?q=9223372036854775807')).toMatchObject({
    status: 303,
    headers: { location: '/console/places/9223372036854775807' },
  })
  expect((await get('?overridden=yes')).text).toContain('No overrides')
  const csv = (await get('?category=HOTEL&q=linde&format=csv')).text.split('\n')
  expect(csv[0]).toBe('id,name,category,status,in,country,latitude,longitude,rating,ratings,source')
  expect(csv[1]).toMatch(/^\d+,Gasthof Linde,HOTEL,.*,atlas$/)
  expect(csv.slice(2)).toEqual([''])
  expect((await get('?q=9223372036854775807&format=json')).headers['content-type']).toBe('application/json')
})

test('a place shows each field with its origin; support sees it without actions', async () => {
  const page = await get('/1')
  for (const text of [
    'Museo del Alba',
    '暁の美術館',
    'Q1',
    'Calle del Alba, 1',
    'Mo 09:00-13:00,16:00-20:00',
    'Dawn Inn',
  ])
    expect([text, page.text.includes(text)]).toEqual([text, text !== 'Dawn Inn'])
  expect(page.text).toContain('/console/places/1/fields/names')
  const seen = await get('/1', support)
  expect(seen.status).toBe(200)
  expect(seen.text).not.toContain('/fields/')
  expect(await get('/1/fields/names', support)).toMatchObject({ status: 403 })
  expect(await post('/1/fields/names', { names: 'x', reason: 'y' }, support)).toMatchObject({ status: 403 })
  for (const id of ['999', '0', 'x', '99999999999999999999']) expect(await get(`/${id}`)).toMatchObject({ status: 404 })
  expect(await get('/1/fields/rating')).toMatchObject({ status: 404 })
  const merged = await get('/20')
  expect(merged.text).toContain('merged into <a href="/console/places/21">Gasthof Linde</a>')
  expect(merged.text).toContain('Only the source can undo it')
})

test('sending a form unchanged stores the value that it showed', async () => {
  const before = await location(1n)
  for (const field of overrideFields) {
    const path = `/1/fields/${field}`
    const sent = formOf(await get(path), `/console/places${path}`)
    expect([field, await post(path, { ...sent, reason: 'As it is.' })]).toMatchObject([
      field,
      { status: 303, headers: { location: '/console/places/1' } },
    ])
  }
  const after = await location(1n)
  const { periods, specialDays, timezone } = before.openingHours!
  const { formatted, ...hours } = after.openingHours!
  // The place is closed on Fridays, so that the second date is not special.
  expect(hours).toEqual({ periods, specialDays: specialDays!.slice(0, 1), timezone })
  expect(formatted).toEqual(['Mo 09:00-13:00,16:00-20:00; Sa 22:00-02:00; 2026 Dec 24 09:00-12:00; 2026 Dec 25 off'])
  // An address has the parts of the form, which has no name of the country.
  const { countryName: _, ...address } = before.addresses![0]!
  const open = { openingHours: undefined, addresses: undefined }
  expect({ ...after, ...open }).toEqual({ ...before, ...open })
  expect(after.addresses).toEqual([address])
  expect((await get('/1')).text).toContain('As it is.')
  expect((await get('?overridden=yes&source=atlas')).text).toContain('Opening hours')
  expect((await get('?overridden=yes&source=other')).text).toContain('No overrides')
})

test('a form with a wrong value comes back with what was sent', async () => {
  const path = '/2/fields/hours'
  const wrong = await post(path, { hours: 'when <we> like', reason: 'Called.', revision: '0' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('when &lt;we&gt; like')
  expect(wrong.text).toContain('value="Called."')
  expect(wrong.text).toContain('aria-invalid="true"')
  const blank = await post(path, { hours: 'Mo 09:00-10:00', reason: ' ', revision: '0' })
  expect(blank).toMatchObject({ status: 422 })
  expect(blank.text).toContain('Say why')
  expect(
    await post('/2/fields/coordinates', { latitude: '91', longitude: '0', reason: 'x', revision: '0' }),
  ).toMatchObject({
    status: 422,
  })
})

test('a lost update shows both values; a second send wins; a lift serves the imported value again', async () => {
  const path = '/2/fields/names'
  const first = await post(path, { names: 'Zénith Rive Gauche [fr]\nZenith [en]', reason: 'New sign.', revision: '0' })
  expect(first).toMatchObject({ status: 303 })
  await eventually(async () => expect((await world.get('/locations/2?version=1')).text).toContain('Rive Gauche'))
  const lost = await post(path, { names: 'Mine', reason: 'Own visit.', revision: '0' })
  expect(lost.status).toBe(412)
  expect(lost.text).toContain('Zénith Rive Gauche')
  const again = formOf(lost, `/console/places${path}`)
  expect(again).toMatchObject({ names: 'Mine', reason: 'Own visit.' })
  expect(await post(path, again)).toMatchObject({ status: 303 })
  expect((await location(2n)).names).toEqual([{ value: 'Mine', primary: true }])
  const exported = (await get('?overridden=yes&format=json')).json() as object
  expect(exported).toContainEqual(expect.objectContaining({ location_id: '2', field: 'names', reason: 'Own visit.' }))
  const lift = formOf(await get(path), `/console/places${path}/lift`)
  expect(await post(`${path}/lift`, { ...lift, reason: '' })).toMatchObject({ status: 422 })
  expect(await post(`${path}/lift`, { ...lift, reason: 'The source is right.' })).toMatchObject({ status: 303 })
  expect((await location(2n)).names[0]!.value).toBe('Café Zénith')
  const history = (await get('/2')).text
  for (const text of ['Lifted: Names', 'Overridden: Names']) expect(history).toContain(text)
  const [newest] = (await get('/2?list=history&format=json')).json() as object[]
  expect(newest).toMatchObject({ action: 'location.lift' })
  expect((await get('/2?list=fields&format=csv')).text).toMatch(/^field,overridden,value/)
})

test('a removed place keeps its page, where the removal is lifted', async () => {
  expect((await get('/40')).text).toContain('/console/places/40/remove')
  expect(await post('/40/remove', { reason: '' })).toMatchObject({ status: 422 })
  expect(await post('/40/remove', { reason: 'Spam.' })).toMatchObject({ status: 303 })
  const page = await get('/40')
  expect(page).toMatchObject({ status: 200 })
  for (const text of ['This place was removed', 'Spam.', '/console/places/40/fields/removed'])
    expect(page.text).toContain(text)
  await eventually(async () => expect(await world.get('/locations/40?version=1')).toMatchObject({ status: 404 }))
  expect(await get('/40/fields/names')).toMatchObject({ status: 404 })
  const lift = formOf(await get('/40/fields/removed'), '/console/places/40/fields/removed/lift')
  expect(await post('/40/fields/removed/lift', { ...lift, reason: 'No spam.' })).toMatchObject({ status: 303 })
  expect((await location(40n)).names[0]!.value).toBe('暁旅館')
})

test('a merge leads to the place that stays, and can be lifted', async () => {
  expect((await get('/50/merge')).text).toContain('Id of the place that stays')
  for (const into of ['', 'x', '999', '50'])
    expect([into, (await post('/50/merge', { into, reason: 'Same.' })).status]).toEqual([into, 422])
  expect(await post('/50/merge', { into: '60', reason: ' ' })).toMatchObject({ status: 422 })
  const merged = await post('/50/merge', { into: '60', reason: 'Same.' })
  expect(merged).toMatchObject({ status: 303, headers: { location: '/console/places/60' } })
  const page = await get('/50')
  expect(page.text).toContain('/console/places/50/fields/merged_into')
  const lift = formOf(await get('/50/fields/merged_into'), '/console/places/50/fields/merged_into/lift')
  expect(await post('/50/fields/merged_into/lift', { ...lift, reason: 'Two bridges.' })).toMatchObject({ status: 303 })
  expect((await location(50n)).names[0]!.value).toBe('Old Bridge')
})
