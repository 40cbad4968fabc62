/** Cursors and links to next pages, indented answers, and time zones of places, over real HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { expectDocumented } from '../contract/answers.ts'
import { searchRows } from '../search-rows.ts'
import { searchable } from '../searchable.ts'
import { importRows, startWorld, type World } from '../world.ts'

/** A clock that a test moves ahead. */
const clock = {
  aheadMs: 0,
  nowMs: () => systemClock.nowMs() + clock.aheadMs,
  monotonicUs: () => systemClock.monotonicUs() + clock.aheadMs * 1000,
}

let world: World
beforeAll(async () => {
  world = await startWorld(
    { 'keys.inQuery': true },
    [{ ...searchRows[0], photos, timezone: 'europe/lisbon' }, ...searchRows.slice(1)],
    clock,
  )
  const reviews = Array.from({ length: 7 }, (_, i) => review(i + 1))
  await importRows(world.config, 'review', reviews)
  await searchable(world)
})
afterAll(() => world.close())

const photos = [1, 2, 3].map(i => `https://photos.example/${i}.jpg`)

const review = (id: number) => ({ id, location_id: 1, rating: 4, text: `Text ${id}`, publish_ts: `2026-02-0${id}` })

interface Page {
  readonly data: readonly { readonly id?: number; readonly location?: { readonly id: number } }[]
  readonly pagination: {
    readonly page: number
    readonly total_elements: number
    readonly cursor?: string
    readonly next?: string
  }
}

const read = async (target: string) => {
  const reply = await world.get(target)
  expect({ target, status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  expectDocumented(reply, target)
  const page = reply.json() as Page
  return { ...page, ids: page.data.map(one => one.location?.id ?? one.id), link: reply.headers.link }
}

/** Follows the links from a page to the end. */
const readAll = async (target: string): Promise<(number | undefined)[]> => {
  const { ids, link } = await read(target)
  if (link === undefined) return ids
  const { pathname, search } = new URL(/^<(.+)>; rel="next"$/.exec(String(link))![1]!)
  return [...ids, ...(await readAll(pathname + search))]
}

const inns = 'query=inn&size=9'
const around = 'lat=40.4168&lon=-3.7038&radius=100&unit=KM&size=2'

describe.each([
  ['/locations/search', inns],
  ['/catalog/locations/search', inns],
  ['/locations/nearby', around],
  ['/catalog/locations/nearby', `${around}&sort=distance`],
  ['/locations/1/reviews', 'size=3'],
  ['/locations/1/photos', 'size=1'],
])('%s?%s', (path, query) => {
  const sizeless = query.replace(/&?size=\d/, '')

  test('links lead to all results once, in the order of pages', async () => {
    const first = await read(`${path}?${query}&version=beta`)
    const all = await readAll(`${path}?${query}`)
    expect(all).toHaveLength(first.pagination.total_elements)
    expect(new Set(all).size).toBe(all.length)
    const second = await read(`${path}?${query}&page=2`)
    const { cursor, next } = first.pagination
    expect(next).toContain(`${path}?`)
    expect(await read(`${path}?${query}&cursor=${cursor}`)).toMatchObject({
      ids: second.ids,
      pagination: { page: 2, total_elements: all.length },
      link: expect.any(String),
    })
    // The size may change; a cursor in v1 is in the header alone.
    const rest = await read(`${path}?${sizeless}&size=5&cursor=${cursor}`)
    expect(rest.ids).toEqual(all.slice(first.ids.length, first.ids.length + 5))
    expect(Object.keys(second.pagination)).toEqual(['page', 'size', 'total_elements', 'total_pages'])
  })

  test('a wrong cursor is a sentence', async () => {
    const { pagination } = await read(`${path}?${query}&version=beta`)
    const foreign = (await read('/locations/search?query=prado&size=1&version=beta')).pagination.cursor
    const wrong: [string, string, string][] = [
      ['cursor=x', 'cursor', 'is not a cursor of this service'],
      [`cursor=${pagination.cursor!.replace(/.{3}$/, 'AAA')}`, 'cursor', 'is not a cursor of this service'],
      [`cursor=${pagination.cursor}&page=2`, 'page', 'cannot be combined with cursor'],
      [`cursor=${foreign}`, 'cursor', 'belongs to another query'],
    ]
    for (const [more, field, sentence] of wrong) {
      const reply = await world.get(`${path}?${query}&${more}`)
      expect([reply.status, reply.json()]).toEqual([
        400,
        expect.objectContaining({ detail: expect.stringContaining(sentence) }),
      ])
      expect(reply.json()).toMatchObject({ field_errors: [{ field }] })
    }
  })
})

test('a cursor is of one path, and its link has no key', async () => {
  const reply = await world.get(`/locations/search?${inns}&key=${world.key}&foo=1&version=beta`, { key: null })
  const { cursor, next } = (reply.json() as Page).pagination
  expect(new URL(next!).search).toBe(`?query=inn&size=9&version=beta&cursor=${cursor}`)
  expect((await world.get(`/catalog/locations/search?${inns}&cursor=${cursor}`)).status).toBe(400)
})

test('a long URL is in the body alone', async () => {
  const ring = Array.from({ length: 200 }, (_, i) => [Math.cos(i / 32) - 3.7038, Math.sin(i / 32) + 40.4168])
  const polygon = encodeURIComponent(JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] }))
  const { link, pagination } = await read(`/locations/nearby?polygon=${polygon}&size=1&version=beta`)
  expect(link).toBeUndefined()
  const { pathname, search } = new URL(pagination.next!)
  expect((await read(pathname + search)).pagination.page).toBe(2)
})

test('results that come or go in front of a page neither repeat nor hide others', async () => {
  const target = '/locations/1/reviews?size=3'
  const all = await readAll(target)
  const { link } = await read(target)
  const { pathname, search } = new URL(String(link).slice(1, -'>; rel="next"'.length))
  await importRows(world.config, 'review', [review(8), review(9)])
  expect(await readAll(pathname + search)).toEqual(all.slice(3))
  await importRows(
    world.config,
    'review',
    [8, 9, 7].map(id => ({ ...review(id), deleted: true })),
  )
  expect(await readAll(pathname + search)).toEqual(all.slice(3))
})

test.each([
  ['/locations/1', 'pretty'],
  ['/locations?ids=1,2', 'pretty=true'],
  [`/locations/search?${inns}`, 'pretty=TRUE'],
  ['/locations/1?fields=names', 'pretty='],
  ['/feeds', 'pretty'],
  ['/account', 'pretty'],
  ['/locations/99', 'pretty'],
  ['/locations/search?size=x', 'pretty'],
])('%s is indented with %s', async (target, pretty) => {
  const plain = await world.get(target)
  clock.aheadMs += 1000
  const reply = await world.get(`${target}${target.includes('?') ? '&' : '?'}${pretty}`)
  expect(reply.status).toBe(plain.status)
  expect(reply.text).toBe(`${JSON.stringify(JSON.parse(reply.text), undefined, 2)}\n`)
  if (plain.status !== 200) return
  expect(Object.keys(reply.json() as object)).toEqual(Object.keys(plain.json() as object))
  expect(reply.headers.etag).not.toBe(plain.headers.etag)
  expect(reply.headers).not.toHaveProperty('ignored-parameters')
})

test('other values of pretty are 400, and false is the default', async () => {
  for (const path of ['/locations/1', `/locations/search?${inns}`, '/account', '/feeds']) {
    clock.aheadMs += 1000
    const reply = await world.get(`${path}${path.includes('?') ? '&' : '?'}pretty=2`)
    expect([reply.status, reply.json()]).toMatchObject([400, { field_errors: [{ field: 'pretty' }] }])
  }
  expect((await world.get('/locations/1?pretty=false')).text).toBe((await world.get('/locations/1')).text)
})

test('beta has the time zone of the record, or else the one at its coordinates', async () => {
  const { data } = (await world.get('/locations?ids=1,4,10,14&version=beta')).json() as { data: object[] }
  expect(data).toMatchObject([
    { timezone: 'Europe/Lisbon' },
    { timezone: 'Europe/Madrid' },
    { timezone: 'America/Bogota' },
    { timezone: 'America/New_York' },
  ])
})

test('a cursor is valid for seven days', async () => {
  const target = `/locations/search?${inns}&version=beta`
  const { cursor } = (await read(target)).pagination
  clock.aheadMs += 7 * 86_400_000
  expect((await world.get(`${target}&cursor=${cursor}`)).status).toBe(200)
  clock.aheadMs += 86_400_000
  const reply = await world.get(`${target}&cursor=${cursor}`)
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('older than 7 days')])
})
