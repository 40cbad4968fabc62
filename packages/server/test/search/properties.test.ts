import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SearchQuery } from '../../src/domain/search.ts'
import { createRandom } from '../../src/kit/random.ts'
import { findBestList } from '../../src/search/index/best-lists.ts'
import { type IndexView, markDead } from '../../src/search/index/index-view.ts'
import { ids, indexOf, listedIndexOf, place, randomPlaces, search } from './world.ts'

const documents = randomPlaces(4000, 1)
const index = await indexOf(documents)
const names = documents.map(({ names }) => names[0]!)

/** Names, parts of names, misspelt names, combinations of words, and random strings. */
const query = fc.oneof(
  fc.constantFrom(...names),
  fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 12 })).map(([name, end]) => name.slice(0, end)),
  fc.tuple(fc.constantFrom(...names), fc.nat(11)).map(([name, at]) => name.slice(0, at) + name.slice(at + 1)),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('Madrid', 'in Athens', 'new york', 'spain'))
    .map(words => words.join(' ')),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)).map(words => words.join(' ')),
  fc.constantFrom('hotels in madrid', 'restaurants', 'h', 'ka', 'hotel bar', 'musem athens'),
  fc.string({ maxLength: 20, unit: 'binary' }),
)
const filters: fc.Arbitrary<Partial<SearchQuery>> = fc.constantFrom(
  { countryCode: 'ES' },
  { categories: ['HOTEL'] as const },
  { statuses: ['OPEN'] as const },
  { minRating: 3 },
  { priceLevels: ['CHEAP'] as const },
  { geoName: 'New York' },
  { scope: { countries: ['GR', 'FR'] } },
)
const near = fc.option(
  fc.record({ latitude: fc.integer({ min: -90, max: 90 }), longitude: fc.integer({ min: -180, max: 180 }) }),
  { nil: undefined },
)

test('a filter only removes results', () => {
  fc.assert(
    fc.property(query, filters, filters, near, (text, one, other, bias) => {
      const more = { limit: 4000, ...(bias && { near: bias }) }
      const all = new Set(ids(search(index, text, more)))
      const onceFiltered = ids(search(index, text, { ...one, ...more }))
      const twiceFiltered = ids(search(index, text, { ...one, ...other, ...more }))
      expect(onceFiltered.filter(id => !all.has(id))).toEqual([])
      if (Object.keys(one)[0] !== Object.keys(other)[0]) {
        const kept = new Set(onceFiltered)
        expect(twiceFiltered.filter(id => !kept.has(id))).toEqual([])
      }
    }),
    { numRuns: 150 },
  )
})

test('pages one and two equal one page of double size, with equal totals', () => {
  fc.assert(
    fc.property(query, fc.integer({ min: 1, max: 40 }), fc.nat(200), near, (text, size, offset, bias) => {
      const more = bias && { near: bias }
      const double = search(index, text, { offset, limit: 2 * size, ...more })
      const first = search(index, text, { offset, limit: size, ...more })
      const second = search(index, text, { offset: offset + size, limit: size, ...more })
      expect([...first.hits, ...second.hits]).toEqual(double.hits)
      expect([first.total, second.total]).toEqual([double.total, double.total])
    }),
    { numRuns: 150 },
  )
})

test('all pages together contain every result once', () => {
  fc.assert(
    fc.property(query, text => {
      const { total } = search(index, text)
      const all: number[] = []
      for (let offset = 0; offset < total; offset += 500) all.push(...ids(search(index, text, { offset, limit: 500 })))
      expect(new Set(all).size).toBe(total)
      expect(all).toHaveLength(total)
    }),
    { numRuns: 100 },
  )
})

test('the exact name comes first among equals', async () => {
  const equals = await indexOf(documents.map(({ id, names }) => place(id, names[0]!)))
  fc.assert(
    fc.property(fc.constantFrom(...names), name => {
      const first = search(equals, name).hits[0]!
      expect(names[Number(first.id) - 1]).toBe(name)
    }),
    { numRuns: 200 },
  )
})

test('CLOSED places come after all others', () => {
  fc.assert(
    fc.property(query, near, (text, bias) => {
      const found = ids(search(index, text, { limit: 4000, ...(bias && { near: bias }) }))
      const closed = found.map(id => documents[id - 1]!.status === 'CLOSED')
      expect(closed).toEqual([...closed].sort((a, b) => Number(a) - Number(b)))
    }),
    { numRuns: 200 },
  )
})

test('caps the total at ten thousand matches, and pages beyond are empty', async () => {
  const many = await indexOf(
    Array.from({ length: 10_500 }, (_, i) => place(i + 1, `Bar ${i % 7}`, { country: i < 300 ? 'ES' : 'FR' })),
  )
  for (const text of ['bar', 'ba', 'b', 'bar 3']) {
    const { total } = search(many, text)
    expect(total).toBe(text === 'bar 3' ? 1500 : 10_000)
    expect(search(many, text, { offset: 10_000 }).hits).toEqual([])
    expect(search(many, text, { offset: 9_990 }).hits).toHaveLength(text === 'bar 3' ? 0 : 10)
  }
  expect(search(many, 'bar', { countryCode: 'ES' }).total).toBe(300)
})

const random = createRandom(3)
const towns = Array.from({ length: 40 }, () => ({ latitude: random() * 100 - 50, longitude: random() * 300 - 150 }))
const crowd = randomPlaces(13_000, 2).map((document, i) => {
  const { latitude, longitude } = towns[i % towns.length]!
  const names = i % 3 === 0 ? document.names : [i % 2000 === 1 ? 'Bar' : `Bar ${document.names[0]}`, `Barka ${i % 90}`]
  const near = { latitude: latitude + random() / 2, longitude: longitude + random() / 2 }
  return { ...document, ...near, names, population: i % 40 === 0 ? i * 100 : 0 }
})
const crowded = await listedIndexOf(crowd, 50)

/** Replaces some documents of the crowd by others in an overlay. */
async function changedCrowd(): Promise<IndexView> {
  const changed = crowd.filter((_, i) => i % 37 === 0).map(({ id }, i) => place(id, i % 2 ? 'Bar Kalo' : 'Old Museum'))
  const overlay = await indexOf(changed)
  return {
    ...crowded,
    parts: [
      markDead(
        crowded.parts[0]!,
        changed.map(({ id }) => id),
      ),
      ...overlay.parts,
    ],
    revision: 2,
  }
}

test.each([
  ['one segment', crowded],
  ['an overlay', await changedCrowd()],
])('a page over %s is the same as if all documents were compared', (_, view) => {
  const one = ['bar', 'bar ', 'BAR', 'b', 'ba', 'bark', 'barka ', 'k', 'museum', 'ho', 'bae', 'musem', 'kala', 'x']
  const several = [
    'bar ka',
    'bar b',
    'bar bar',
    'b bar',
    'old m',
    'old park',
    'museum madrid',
    'hotel in lyon',
    'mueum kala',
    'bar barka',
    'bar la',
    'barb',
    'barkamuseum',
    'barold park',
    'de bar',
    'cheap bar ka',
    'five star luxury bar',
    'barka with kids near me',
    '4 star hotel in lyon',
  ]
  const text = fc.constantFrom(...one, ...several)
  const filter = fc.constantFrom<Partial<SearchQuery>>(
    {},
    {},
    { countryCode: 'ES' },
    { minRating: 4 },
    { geoName: 'Lyon' },
  )
  const type = fc.constantFrom<Partial<SearchQuery>>({}, {}, { type: 'COMBINED' })
  const bias = fc.constantFrom(undefined, undefined, ...towns)
  fc.assert(
    fc.property(text, filter, type, bias, fc.nat(40), (words, some, kind, near, offset) => {
      const more = { ...some, ...kind, ...(near && { near }) }
      const page = search(view, words, { ...more, offset, limit: 10 })
      // Pages of more than 200 results compare all documents.
      const all = search(view, words, { ...more, limit: 201 })
      expect(page.hits).toEqual(all.hits.slice(offset, offset + 10))
      expect(page.total).toBe(all.total)
    }),
    { numRuns: 120 },
  )
})

test('an unfinished word matches a term that no other word of the query matches', async () => {
  const names = ['Bar Kala', 'Bar Barka', 'Bar Bar', 'Barka', 'Bar']
  const found = await indexOf([
    ...names.map((name, i) => place(i + 1, name)),
    place(6, 'Kala Bar', { addresses: ['Bar Bora'] }),
    place(7, 'Bar', { surroundings: ['Barland'] }),
  ])
  expect(ids(search(found, 'bar bar'))).toEqual([3, 2, 7])
  expect(ids(search(found, 'bar ka'))).toEqual([4, 1, 6, 2])
  expect(ids(search(found, 'bar bo', { type: 'COMBINED' }))).toEqual([6])
})

test('words that many documents match have best lists', () => {
  const { segment } = crowded.parts[0]!
  const listOf = (text: string) => findBestList(segment.arrays, segment.terms.range(text)[0], text.length)
  expect(['b', 'ba', 'bar', 'museum', 'ka'].filter(text => listOf(text) < 0)).toEqual([])
  expect(listOf('museumx')).toBe(-1)
})

test('finds a name of common words despite many more popular matches', async () => {
  const crowd = Array.from({ length: 10_500 }, (_, i) =>
    place(i + 1, 'Taverna The Inn', { rating: 5, ratingCount: 900 }),
  )
  const crowded = await indexOf([...crowd, place(20_000, 'The Taverna'), place(20_001, 'Taverna')])
  expect(ids(search(crowded, 'the taverna'))[0]).toBe(20_000)
  expect(ids(search(crowded, 'taverna'))[0]).toBe(20_001)
})

test('finds a close place despite many more popular matches', async () => {
  const crowd = Array.from({ length: 10_500 }, (_, i) =>
    place(i + 1, 'Bar', { rating: 5, ratingCount: 900, latitude: 50 }),
  )
  const crowded = await indexOf([...crowd, place(20_000, 'Bar', { latitude: 10 })])
  expect(ids(search(crowded, 'bar', { near: { latitude: 10.01, longitude: 0 } }))[0]).toBe(20_000)
})
