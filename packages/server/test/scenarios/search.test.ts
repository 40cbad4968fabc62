import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLayout } from '../../src/store/folder/layout.ts'
import { scenarios } from '../scenario.ts'
import { searchRows } from '../search-rows.ts'
import { searchable } from '../searchable.ts'
import { makeKey, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({}, searchRows)
  await searchable(world)
})
afterAll(() => world.close())

interface Found {
  readonly data: readonly {
    readonly location: { readonly id: number; readonly names: readonly { language?: string; value: string }[] }
    readonly matched_value?: { readonly language?: string; readonly value: string }
  }[]
  readonly pagination: object
}
const paths = ['/locations/search', '/catalog/locations/search']
const search = async (query: string, path = paths[0]!, key = world.key): Promise<Found> => {
  const reply = await world.get(`${path}?${query}`, { key })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json() as Found
}
const idsOf = ({ data }: Found) => data.map(({ location }) => location.id)

describe('matching (rulings: Operations)', () => {
  test.each([
    ['an exact name', 'query=Museo Nacional del Prado', [1]],
    ['a name with the city', 'query=zorba athens', [13]],
    ['a code', 'query=jfk', [14]],
    ['another code', 'query=KJFK', [14]],
    ['a typo', 'query=muzeo nacional del prado', [1]],
    ['two typos in a long word', 'query=internatoinl airport kennedy', [14]],
    ['missing diacritics', 'query=bar quizas', [5]],
    ['other diacritics', 'query=bár quizàs', [5]],
    ['another word order', 'query=prado museo', [1]],
    ['an unfinished last word', 'query=john f kenn', [14]],
    ['another script', 'query=Αθήνα', [12]],
    ['upper case in another script', 'query=ΑΘΗΝΑ', [12]],
    ['CJK', 'query=プラド美術館', [1]],
    ['part of a CJK name', 'query=美術館', [1]],
    ['alias q', 'q=zorba', [13]],
    ['a category and a place', 'query=restaurants in Athens', [13]],
    ['no match', 'query=xyzzyqwk', []],
  ] satisfies [string, string, number[]][])('%s', async (_name, query, expected) => {
    for (const path of paths) expect(idsOf(await search(encodeURI(query), path)).slice(0, 1)).toEqual(expected)
  })

  test('ranks closer matches first and CLOSED places last', async () => {
    expect(idsOf(await search('query=prado'))).toEqual([1, 2, 10, 3])
  })
})

describe('filters (rulings: Operations)', () => {
  test.each([
    ['category', 'query=prado&category=HOTEL', [2]],
    ['category, any case, repeated', 'query=prado&category=hotel&category=restaurant', [2, 3, 10]],
    ['category, a comma-separated list', 'query=prado&category=HOTEL,ATTRACTION', [1, 2]],
    ['country_code, any case', 'query=prado&country_code=co', [10]],
    ['geo_name', 'query=prado&geo_name=Bogota', [10]],
    ['postal_code', 'query=prado&postal_code=28014', [1]],
    ['postal_code takes precedence over geo_name', 'query=prado&postal_code=28010&geo_name=Athens', [2]],
    ['min_rating', 'query=prado&min_rating=4.5', [1, 3]],
    ['status', 'query=prado&status=CLOSED', [3]],
    ['status, repeated', 'query=prado&status=CLOSED&status=TEMPORARILY_CLOSED', [2, 3]],
    ['price_level', 'query=prado&price_level=LUXURY', [2]],
    ['price_level, repeated', 'query=prado&price_level=LUXURY&price_level=MODERATE', [2, 3]],
    ['open_now: unknown hours are not open', 'query=bar&open_now=true', [4]],
    ['open_now=false does not filter', 'query=bar&open_now=false', [4, 5]],
    [
      'all filters combined',
      'query=prado&category=HOTEL&country_code=ES&geo_name=Madrid&min_rating=4&price_level=LUXURY',
      [2],
    ],
    ['search_type NAME ignores addresses', 'query=paseo de las pinturas', []],
    ['search_type ADDRESS', 'query=paseo de las pinturas 23&search_type=ADDRESS', [1]],
    ['search_type ADDRESS ignores names', 'query=zorba&search_type=address', []],
    ['search_type COMBINED matches both', 'query=prado paseo de las pinturas&search_type=COMBINED', [1]],
    ['an unknown parameter is ignored', 'query=zorba&colour=blue', [13]],
  ] satisfies [string, string, number[]][])('%s', async (_name, query, expected) => {
    for (const path of paths) {
      const found = await search(encodeURI(query), path)
      expect(idsOf(found).toSorted((a, b) => a - b)).toEqual(expected)
      expect(found.pagination).toMatchObject({ total_elements: expected.length })
    }
  })

  test.each([
    ['lat=4.65&lon=-74.06', 10],
    ['latitude=4.65&longitude=-74.06', 10],
    ['lat=4.65&lng=-74.06', 10],
    ['lat=40.41&lon=-3.69', 1],
  ])('the bias %s changes the order but removes no results', async (bias, first) => {
    const found = idsOf(await search(`query=prado&${bias}`))
    expect(found[0]).toBe(first)
    expect(found.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 10])
  })
})

describe('results', () => {
  test('return the object of getLocation, and in the catalog its light projection', async () => {
    const { data: whole } = (await world.get('/locations/1')).json() as { data: object }
    const { data: light } = (await world.get('/catalog/locations/1')).json() as { data: object }
    const [location, catalog] = await Promise.all(paths.map(path => search('query=prado+museum', path)))
    expect(location!.data[0]!.location).toEqual(whole)
    expect(catalog!.data[0]!.location).toEqual(light)
    expect(Object.keys(whole).length).toBeGreaterThan(Object.keys(light).length)
  })

  test.each([
    ['プラド', { language: 'ja', value: 'プラド美術館' }],
    ['prado museum', { language: 'en', value: 'Prado Museum' }],
    ['普拉多博物馆', { language: 'zh_CN', value: '普拉多博物馆' }],
  ])('matched_value of %s', async (query, expected) => {
    expect((await search(`query=${encodeURIComponent(query)}`)).data[0]!.matched_value).toEqual(expected)
  })

  test('have no matched_value if no name matched', async () => {
    expect((await search('query=restaurants+in+athens')).data[0]).not.toHaveProperty('matched_value')
    expect((await search('query=pinturas&search_type=ADDRESS')).data[0]).not.toHaveProperty('matched_value')
  })

  test('locale selects and orders names but does not change the matches (R-25)', async () => {
    const found = await search('query=zorba+athens&locale=el')
    expect(idsOf(found)).toEqual(idsOf(await search('query=zorba+athens')))
    const { names } = (await search('query=prado+museum&locale=ja,en')).data[0]!.location
    expect(names.map(({ language }) => language)).toEqual(['ja', 'en', 'es'])
    expect((await search('query=prado+museum&locale=fr')).data[0]!.location.names).toHaveLength(1)
  })
})

describe('paging (rulings: Operations)', () => {
  test.each([
    ['page=1&size=10', 10],
    ['page=5&size=10', 5],
    ['page=3&limit=20', 5],
    ['', 20],
    ['page=4', 0],
    ['page=1000000&size=20', 0],
    [`page=${Number.MAX_SAFE_INTEGER}`, 0],
  ])('%s', async (page, count) => {
    for (const path of paths) {
      const { data, pagination } = await search(`query=paging+inn&${page}`, path)
      const size = Number(/(?:size|limit)=(\d+)/.exec(page)?.[1] ?? 20)
      expect(data).toHaveLength(count)
      expect(pagination).toEqual({
        page: Number(/page=(\d+)/.exec(page)?.[1] ?? 1),
        size,
        total_elements: 45,
        total_pages: Math.ceil(45 / size),
      })
    }
  })

  test('pages one and two equal one page of double size; all pages contain every place once', async () => {
    const page = async (number: number, size: number) => idsOf(await search(`query=inn&page=${number}&size=${size}`))
    expect([...(await page(1, 10)), ...(await page(2, 10))]).toEqual(await page(1, 20))
    const all = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(number => page(number, 7)))
    expect(all.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, i) => 21 + i))
  })
})

describe('scope (R-03)', () => {
  test.each([
    [{ countries: ['ES'] }, 'prado', [1, 2, 3]],
    [{ categories: ['HOTEL'] as const }, 'prado', [2]],
    [{ sources: ['gazette'] }, 'zorba', [13]],
    [{ sources: ['atlas'] }, 'zorba', []],
  ])('%o filters locations but not the catalog', async (scope, query, expected) => {
    const { secret } = await makeKey(world.config, { scope })
    const [location, catalog, whole] = [
      await search(`query=${query}`, paths[0], secret),
      await search(`query=${query}`, paths[1], secret),
      await search(`query=${query}`, paths[1]),
    ]
    expect(idsOf(location).toSorted((a, b) => a - b)).toEqual(expected)
    expect(location.pagination).toMatchObject({ total_elements: expected.length })
    expect(catalog).toEqual(whole)
  })
})

scenarios('permission and validators (SPEC §4, §5.3, R-26)', () => world, [
  { name: 'no key', get: '/locations/search?query=prado', key: null, status: 401 },
  { name: 'HEAD', get: '/locations/search?query=prado', method: 'HEAD', status: 200, has: { etag: /^".+"$/ } },
  { name: 'a trailing slash', get: '/locations/search/?query=zorba', status: 200, body: { data: [{}] } },
  { name: 'version 0 is gone', get: '/locations/search?query=prado&version=0', status: 410 },
])

test('an unchanged response is 304 and costs nothing (R-26, R-09)', async () => {
  for (const path of paths) {
    const { headers } = await world.get(`${path}?query=prado`)
    const again = await world.get(`${path}?query=prado`, { headers: { 'If-None-Match': headers.etag! } })
    expect([again.status, again.text, again.headers['x-billed-units']]).toEqual([304, '', '0'])
    const other = await world.get(`${path}?query=zorba`, { headers: { 'If-None-Match': headers.etag! } })
    expect([other.status, other.headers['x-billed-units']]).toEqual([200, '1'])
  }
})

test('a key without the permission is refused (SPEC §5.3)', async () => {
  const narrow = await startWorld({ 'packages.discover.permissions': ['reviews'] }, 'empty')
  try {
    const { secret } = await makeKey(narrow.config)
    for (const path of paths) expect((await narrow.get(`${path}?query=a`, { key: secret })).status).toBe(403)
  } finally {
    await narrow.close()
  }
})

const long = (count: number, letter = 'a') => `query=${letter.repeat(count)}`

describe('invalid input', () => {
  test.each([
    ['no query', '', ['query']],
    ['an empty query', 'query=', ['query']],
    ['blanks', 'query=%20%09%20', ['query']],
    ['501 characters', long(501), ['query']],
    ['two different queries', 'query=a&q=b', ['query']],
    ['search_type', 'query=a&search_type=BOTH', ['search_type']],
    ['category', 'query=a&category=ZOO', ['category']],
    ['one of several categories', 'query=a&category=HOTEL,ZOO', ['category']],
    ['status', 'query=a&status=SHUT', ['status']],
    ['country_code', 'query=a&country_code=ESP', ['country_code']],
    ['min_rating', 'query=a&min_rating=5.1', ['min_rating']],
    ['min_rating NaN', 'query=a&min_rating=NaN', ['min_rating']],
    ['price_level', 'query=a&price_level=5', ['price_level']],
    ['open_now', 'query=a&open_now=maybe', ['open_now']],
    ['lat 91', 'query=a&lat=91&lon=0', ['lat']],
    ['lat NaN, lon Infinity', 'query=a&lat=NaN&lon=Infinity', ['lat', 'lon']],
    ['lat alone', 'query=a&lat=1', ['lon']],
    ['lon alone', 'query=a&lng=1', ['lat']],
    ['locale', 'query=a&locale=!!', ['locale']],
    ['page 0', 'query=a&page=0', ['page']],
    ['page -1', 'query=a&page=-1', ['page']],
    ['page 1.5', 'query=a&page=1.5', ['page']],
    ['size 21', 'query=a&size=21', ['size']],
    ['size 0, by its alias', 'query=a&limit=0', ['size']],
    ['geo_name of 201', `query=a&geo_name=${'x'.repeat(201)}`, ['geo_name']],
    ['all errors at once', 'page=0&size=x&lat=91', ['query', 'lat', 'page', 'size']],
  ])('%s is 400', async (_name, query, fields) => {
    for (const path of paths) {
      const reply = await world.get(`${path}?${query}`)
      expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 400 })
      const { field_errors: errors } = reply.json() as { field_errors: { field: string }[] }
      expect(new Set(errors.map(({ field }) => field))).toEqual(new Set(fields))
    }
  })

  test.each([
    ['500 letters', long(500)],
    ['500 letters of four bytes', long(500, '%F0%9D%94%B8')],
    ['100 words', `query=${'ab+'.repeat(100)}`],
    ['the same word 100 times', `query=${'inn+'.repeat(100)}`],
    ['only punctuation', 'query=...---***'],
    ['only emoji', 'query=%F0%9F%8D%95%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB'],
    ['control characters', 'query=%00%01%07%1b%7f'],
    ['a lone surrogate', 'query=%ED%A0%80'],
    ['bytes that are not UTF-8', 'query=%ff%fe'],
    ['a broken percent-encoding', 'query=%zz'],
    ['combining marks', `query=a${'%CC%81'.repeat(200)}`],
    ['right to left marks', 'query=%E2%80%AE%E2%80%8F'],
    ['markup', 'query=%3Cscript%3Ealert(1)%3C%2Fscript%3E'],
    ['SQL', "query=';DROP TABLE locations--".replaceAll(' ', '%20')],
    ['a regular expression', 'query=(a%2B)%2B%24'],
    ['names of object members', 'query=__proto__+constructor'],
  ])('%s returns a page', async (_name, query) => {
    for (const path of paths) {
      const { data, pagination } = await search(query, path)
      expect(data.length).toBeLessThanOrEqual(20)
      expect(pagination).toMatchObject({ page: 1, size: 20 })
    }
  })
})

test('before the first index, searches answer 503 with Retry-After and reads by id work', async () => {
  // A folder in place of the index file prevents the index from being loaded and built.
  const fresh = await startWorld({}, searchRows)
  try {
    await searchable(fresh)
    const { index } = openLayout(fresh.config.data)
    rmSync(index)
    mkdirSync(index)
    await fresh.restart()
    for (const target of [...paths.map(path => `${path}?query=a`), '/locations/nearby?lat=1&lon=1']) {
      const reply = await fresh.get(target)
      expect([reply.status, reply.headers['retry-after'], reply.headers['x-billed-units']]).toEqual([503, '5', '0'])
      expect(reply.json()).toMatchObject({ type: expect.stringContaining('index_building') })
    }
    expect((await fresh.get('/locations/search?query=')).status).toBe(400)
    expect((await fresh.get('/locations/1')).status).toBe(200)
    expect((await fresh.get('/locations?ids=1,2')).status).toBe(200)
    rmdirSync(index)
    await searchable(fresh, 'prado', 4)
  } finally {
    await fresh.close()
  }
})
