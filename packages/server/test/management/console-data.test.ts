/** The pages of the console for reviews, imports, feeds and versions. */
import { afterAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import type { Reply } from '../http-client.ts'
import { startWorld } from '../world.ts'
import { type Fields, pageClient } from './page-client.ts'

const world = await startWorld()
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

test('reviews are listed newest first, of one place, by id, and by what no index has', async () => {
  const all = reviewIds(await get('/reviews'))
  expect(all.slice(0, 3)).toEqual([...all].sort((a, b) => b - a).slice(0, 3))
  expect(reviewIds(await get('/reviews?place=2'))).toEqual([103, 102, 101])
  expect(reviewIds(await get('/reviews?id=104'))).toEqual([104])
  expect(reviewIds(await get('/reviews?text=MEILLEUR'))).toEqual([101])
  expect(reviewIds(await get('/reviews?text=vine'))).toEqual([104])
  expect(reviewIds(await get('/reviews?user=voices:u1'))).toEqual([101])
  expect(reviewIds(await get('/reviews?user=voices:u1&text=coffee'))).toEqual([])
  for (const query of ['id=999', 'id=x', 'place=x', 'place=999'])
    expect((await get(`/reviews?${query}`)).text).toContain('No reviews here')
  expect((await get('/reviews?text=%22%5C')).text).toContain('The search is complete')
  expect((await get('/reviews?state=hidden')).text).toContain('Nothing is hidden')
  const seen = await get('/reviews', support)
  expect(seen.text).toContain('Le meilleur café.')
  expect(seen.text).not.toContain(`type="checkbox"`)
  expect(await post('/reviews/hide', { id: '101', reason: 'x' }, support)).toMatchObject({ status: 403 })
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
  const { lines } = await engine.audit.list({ visibility: { all: true }, limit: 5 })
  expect(lines.map(({ action }) => action)).toEqual(expect.arrayContaining(['reviewer.erase', 'review.erase']))
})
