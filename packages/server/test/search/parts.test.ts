import { describe, expect, test } from 'vitest'
import type { RecommendationQuery } from '../../src/domain/recommendation.ts'
import { createRandom } from '../../src/kit/random.ts'
import { Budget } from '../../src/search/index/budget.ts'
import { type IndexView, markDead } from '../../src/search/index/index-view.ts'
import { shortlist } from '../../src/search/recommend/shortlist.ts'
import { createQueries, toJson } from './random-queries.ts'
import { indexOf, listedIndexOf, nearby, partedIndexOf, place, randomPlaces, search } from './world.ts'

const random = createRandom(3)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
/** The long form raises it. */
const queries = Number(process.env.PERIPLUS_QUERIES ?? 400)
const cities = ['Madrid', 'Athens', 'Lyon', 'New York', 'Graz']

/** More places than are ranked for one query, many with equal names, and cities that name areas of all parts. */
const documents = [
  ...randomPlaces(13_000, 2).map((document, i) => {
    const [word] = document.names
    const names = i % 3 === 0 ? document.names : [i % 2000 === 1 ? 'Bar' : `Bar ${word}`, `Barka ${i % 90}`]
    const addresses = i % 5 === 0 ? [`${i} ${word!.split(' ')[1]} Street`] : []
    const labels = i % 7 === 0 ? ['family friendly', word!.slice(0, 5)] : []
    return { ...document, names, addresses, labels, population: i % 40 === 0 ? i * 100 : 0 }
  }),
  ...cities.map((city, i) =>
    place(20_000 + i, city, {
      names: [city, `${city}burg`, `Ville de ${city}`],
      category: 'GEO',
      country: pick(['ES', 'GR', 'FR', 'US']),
      population: 100_000 * (i + 1),
    }),
  ),
]
const one = await listedIndexOf(documents, 50)
const many = await partedIndexOf(documents, 3000, 50)
const words = documents.flatMap(({ names }) => names[0]!.split(' '))

const randomQuery = createQueries(words, cities, random)

/** Returns the index after some places have changed. */
async function changed(view: IndexView): Promise<IndexView> {
  const changes = documents
    .filter((_, i) => i % 37 === 0)
    .map(({ id }, i) => place(id, i % 2 ? 'Bar Kalo' : 'Old Museum'))
  const ids = changes.map(({ id }) => id)
  const overlay = await indexOf(changes)
  return { ...view, parts: [...view.parts.map(part => markDead(part, ids)), ...overlay.parts], revision: 2 }
}

const [changedOne, changedMany] = [await changed(one), await changed(many)]

describe('an index of several parts (R-124)', () => {
  test.each([
    ['without changes', one, many, queries],
    ['with an overlay', changedOne, changedMany, queries / 4],
  ])('%s: searches give the results of one part, scores included', (_, single, parted, count) => {
    expect([single.mains, parted.mains]).toEqual([1, 5])
    for (let i = 0; i < count; i++) {
      const query = randomQuery()
      const [found, expected] = [parted, single].map(view => toJson(search(view, query.text, query)))
      if (found !== expected) expect({ query, found }).toEqual({ query, found: expected })
    }
  })

  test('nearby places and shortlists are those of one part', () => {
    for (let i = 0; i < 60; i++) {
      const within = {
        centre: { latitude: random() * 180 - 90, longitude: random() * 360 - 180 },
        radiusKm: pick([300, 2000, 20_000]),
      }
      const sort = pick(['distance', 'rating', 'popularity'] as const)
      expect(nearby(many, { within, sort })).toEqual(nearby(one, { within, sort }))
      const query: RecommendationQuery = {
        text: `romantic ${pick(words)} in ${pick(cities)}burg`,
        scope: {},
        excluded: [],
        languages: [],
        nowMs: 0,
        limit: 20,
      }
      expect(shortlist(many, query, Budget.unlimited())).toEqual(shortlist(one, query, Budget.unlimited()))
    }
  })
})
