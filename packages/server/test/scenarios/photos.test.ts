/** Photos of a location, over real HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photoIdOf } from '../../src/domain/photo.ts'
import { expectDocumented } from '../contract/answers.ts'
import { eventually } from '../eventually.ts'
import { importRows, makeKey, startWorld, type World } from '../world.ts'

const front = 'https://pictures.example/front.jpg'
const id = 800
const place = { id, source: 'gallery', name: 'Alba Gallery', lat: 41, lon: 2 }
const photos = [
  { url: front, width: 1600, height: 1200, caption: 'At dawn', attribution: 'Zoe', license: 'CC-BY-4.0' },
  'https://pictures.example/back.jpg',
]
const reviewOf = (day: number, urls: readonly string[]) => ({
  id: 8000 + day,
  source: 'gallery',
  location_id: id,
  rating: 5,
  published_date: `2026-01-0${day}`,
  photos: urls,
})

let world: World
beforeAll(async () => {
  world = await startWorld()
  await importRows(world.config, 'location', [{ ...place, photos }])
  await importRows(world.config, 'review', [
    reviewOf(1, ['https://pictures.example/old.jpg']),
    reviewOf(2, []),
    reviewOf(3, ['https://pictures.example/new-1.jpg', 'https://pictures.example/new-2.jpg']),
  ])
})
afterAll(() => world.close())

interface Answer {
  readonly data: readonly { readonly id: string; readonly url: string; readonly origin: string }[]
  readonly pagination: object
}

async function read(query = '', key = world.key): Promise<Answer> {
  const target = `/locations/${id}/photos${query}`
  const reply = await world.get(target, { key })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  expectDocumented(reply, target)
  return reply.json() as Answer
}

test('lists the photos of the record, then those of reviews, newest first', async () => {
  const { data, pagination } = await read()
  expect(data.map(({ url, origin }) => [url.split('/').at(-1), origin])).toEqual([
    ['front.jpg', 'operator'],
    ['back.jpg', 'operator'],
    ['new-1.jpg', 'review'],
    ['new-2.jpg', 'review'],
    ['old.jpg', 'review'],
  ])
  expect(data[0]).toEqual({
    id: photoIdOf({ origin: 'operator', id: BigInt(id) }, { url: front }),
    ...(photos[0] as object),
    origin: 'operator',
  })
  expect(data[2]).toMatchObject({ review_id: 8003 })
  expect(pagination).toEqual({ page: 1, size: 20, total_elements: 5, total_pages: 1 })
})

test('in pages, in every version, and with a field mask', async () => {
  const last = await read('?page=2&size=3&version=beta')
  expect(last.data.map(({ url }) => url.split('/').at(-1))).toEqual(['new-2.jpg', 'old.jpg'])
  expect((await read('?page=9')).data).toEqual([])
  const masked = await world.get(`/locations/${id}/photos?size=1&fields=url`)
  expect(masked.json()).toMatchObject({ data: [{ id: expect.any(String), url: front }] })
  const { 'x-billed-units': units } = (await world.get(`/locations/${id}/photos?version=2`)).headers
  expect(units).toBe('1')
})

test('the location has their number alone', async () => {
  const reply = await world.get(`/locations/${id}`)
  expect(reply.json()).toMatchObject({ data: { photos: { total_count: 2 } } })
  expect(reply.text).not.toContain('pictures.example')
})

test('an import of the same photos keeps their ids', async () => {
  const before = (await read()).data.map(photo => photo.id)
  await importRows(world.config, 'location', [{ ...place, photos: [...photos].reverse() }])
  await eventually(async () => {
    const { data } = await read()
    expect(data.map(photo => photo.id)).toEqual([before[1], before[0], ...before.slice(2)])
  })
})

test('a place without photos has none, and one outside the scope does not exist', async () => {
  expect((await world.get('/locations/2/photos')).json()).toMatchObject({ data: [], pagination: { total_elements: 0 } })
  const { secret } = await makeKey(world.config, { packageName: 'innovate', scope: { sources: ['nobody'] } })
  for (const [path, key] of [
    ['/locations/99/photos', world.key],
    [`/locations/${id}/photos`, secret],
  ] as const)
    expect(await world.get(path, { key })).toMatchObject({ status: 404 })
})

test.each([
  ['/locations/x/photos', 400, 'id must be'],
  ['/locations/1/photos?size=101', 400, 'size must be an integer from 1 to 100.'],
  ['/locations/1/photos?fields=uri', 400, 'url'],
])('refuses %s', async (path, status, sentence) => {
  const reply = await world.get(path)
  expect({ status: reply.status, text: reply.text }).toEqual({ status, text: expect.stringContaining(sentence) })
})
