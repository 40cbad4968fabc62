import { expect, test } from 'vitest'
import { withDescendants } from '../../src/domain/category.ts'
import { fullScope } from '../../src/domain/scope.ts'
import { createRandom } from '../../src/kit/random.ts'
import { Budget } from '../../src/search/index/budget.ts'
import { type IndexView, markDead } from '../../src/search/index/index-view.ts'
import { countCategories } from '../../src/search/query/category-counts.ts'
import { suggestCategories } from '../../src/search/query/known-categories.ts'
import { indexOf, nearby, partedIndexOf, place, search } from './world.ts'

const random = createRandom(5)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const kinds = ['restaurant', 'pizzeria', 'Bar', 'pub', 'izakaya', 'Tea House']
const makePlace = (id: number) =>
  place(id, `Place ${id % 50}`, {
    category: 'RESTAURANT',
    categoryIds: [...new Set([pick(kinds), pick(kinds)])],
    attributeIds: ['cuisine.thai', 'tag.Late Night', 'tag.a,b'].filter(() => random() < 0.4),
    country: pick(['ES', 'FR']),
    source: pick(['a', 'b']),
  })
const documents = Array.from({ length: 900 }, (_, i) => makePlace(i + 1))
const changed = documents.filter((_, i) => i % 10 === 0).map(({ id }) => makePlace(Number(id)))
const current = [...documents.filter((_, i) => i % 10 !== 0), ...changed]
const overlay = await indexOf(changed)
const views: IndexView[] = await Promise.all(
  [indexOf(documents), partedIndexOf(documents, 400, 1000)].map(async built => {
    const view = await built
    const ids = changed.map(({ id }) => id)
    return { ...view, parts: [...view.parts.map(part => markDead(part, ids)), ...overlay.parts], revision: 2 }
  }),
)
const toId = (text: string) => text.toLowerCase().replaceAll(' ', '_')
const world = { box: { south: -90, west: -180, north: 90, east: 180 } }

test('counts are those of filters, with and without a scope, in one part and in several (R-151)', () => {
  for (const filters of [{}, { countryCode: 'ES' }, { scope: { sources: ['a'] } }]) {
    const [one, several] = views.map(view => countCategories(view, filters, Budget.unlimited()))
    expect(several!.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(one!.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    for (const { id, count } of one!) {
      const wanted = new Set(withDescendants(id))
      const expected = current.filter(
        ({ category, categoryIds, country, source }) =>
          [category, ...categoryIds.map(toId)].some(one => wanted.has(one)) &&
          (filters.countryCode === undefined || country === 'ES') &&
          (filters.scope === undefined || source === 'a'),
      )
      expect([id, count]).toEqual([id, expected.length])
      const query = { ...filters, within: world, sort: 'rating', categoryIds: [id] } as const
      expect([id, nearby(views[1]!, query).total]).toEqual([id, count])
    }
    expect(one!.find(({ id }) => id === 'izakaya')!.topLevelCategory).toBe('RESTAURANT')
  }
})

test('attributes have to be there all, whatever their case, and may have commas', () => {
  const find = (attributes: string[]) => views.map(view => search(view, 'place', { attributes, limit: 1 }).total)
  const count = (...ids: string[]) => current.filter(one => ids.every(id => one.attributeIds!.includes(id))).length
  expect(find(['Cuisine.Thai'])).toEqual([count('cuisine.thai'), count('cuisine.thai')])
  const both = count('cuisine.thai', 'tag.Late Night')
  expect(find(['cuisine.thai', 'tag.late_night'])).toEqual([both, both])
  expect(find(['tag.a,b'])).toEqual([count('tag.a,b'), count('tag.a,b')])
  expect(find(['tag.none'])).toEqual([0, 0])
})

test('a category is known if the tree or a record has it; otherwise the nearest are named', () => {
  for (const view of views) {
    for (const id of ['RESTAURANT', 'tea house', 'Izakaya', 'aquarium', 'geo:city'])
      expect(suggestCategories(view, id, fullScope)).toBeUndefined()
    expect(suggestCategories(view, 'izakya', fullScope)![0]).toBe('izakaya')
    expect(suggestCategories(view, 'musem', fullScope)).toEqual(['museum', expect.any(String), expect.any(String)])
    expect(suggestCategories(view, 'constructor', fullScope)).toHaveLength(3)
  }
})
