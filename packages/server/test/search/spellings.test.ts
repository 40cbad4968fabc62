import { expect, test } from 'vitest'
import { ids, indexOf, partedIndexOf, place, search } from './world.ts'

const documents = [
  place(1, 'Frankfurt (Main) Hbf', { category: 'TRANSPORT', categoryIds: ['railway_station'] }),
  place(2, 'Köln Hauptbahnhof', { category: 'TRANSPORT', categoryIds: ['railway_station'] }),
  place(3, "McDonald's", { surroundings: ['Tromsø'] }),
  place(4, 'McDonalds'),
  place(5, 'Sankt Gallen', { category: 'GEO', population: 75_000, country: 'CH' }),
  place(6, 'Düsseldorf', { category: 'GEO', population: 600_000, country: 'DE' }),
  place(7, 'Duesseldorf Grill'),
  place(8, 'Harry S Truman Int’l Airport', { category: 'TRANSPORT', categoryIds: ['airport'] }),
  place(9, "L'Aquila", { category: 'GEO', population: 70_000, country: 'IT' }),
  place(10, 'Saint-Malo', { category: 'GEO', population: 46_000, country: 'FR' }),
  place(11, 'Goya', { category: 'GEO', population: 80_000, names: ['Goya', 'गोया'] }),
  place(12, 'Hotel Bruggen', { surroundings: ['Sankt Gallen'], category: 'HOTEL', categoryIds: ['hotel'] }),
  place(13, 'Fisk', { surroundings: ['Düsseldorf'], category: 'RESTAURANT', categoryIds: ['restaurant'] }),
]
const index = await indexOf(documents)
const parts = await partedIndexOf(documents, 4, 1)

const cases: readonly (readonly [query: string, first: readonly number[], wanted: string])[] = [
  ['frankfurt hauptbahnhof', [1], 'a word for an abbreviation'],
  ['köln hbf', [2], 'an abbreviation for a word'],
  ["mcdonald's", [4, 3], 'both spellings by a possessive'],
  ['mcdonalds', [4, 3], 'both spellings without the apostrophe'],
  ['mcdonalds tromsoe', [3], 'an area with pairs of letters'],
  ['st gallen', [5], 'an area by an abbreviation'],
  ['hotels st gallen', [12], 'an area of a kind by an abbreviation'],
  ['duesseldorf', [6, 7], 'pairs of letters for an umlaut'],
  ['Düsseldorf', [6, 7], 'an umlaut for pairs of letters'],
  ['restaurants duesseldorf', [13], 'an area with an umlaut'],
  ['aquila', [9], 'a name without its article'],
  ['laquila', [9], 'a name with its article'],
  ['st malo', [10], 'another meaning of an abbreviation'],
  ['गोवा', [], 'no correction of a short word of another script'],
]

test.each(cases)('%s finds %j: %s', (query, first) => {
  expect(
    ids(search(index, query))
      .slice(0, first.length || 1)
      .sort(),
  ).toEqual([...first].sort())
  expect(search(parts, query).hits).toEqual(search(index, query).hits)
})

test('a name found by another spelling is shown as it is', () => {
  expect(search(index, 'duesseldorf').hits[0]).toMatchObject({ id: 6n, matchedName: { value: 'Düsseldorf' } })
})

test('a name of the same meaning is complete, so that no spelling is corrected', () => {
  expect(ids(search(index, 'frankfurt main hauptbahnhof'))).toEqual([1])
})

test('the word as typed comes before one of the same meaning', async () => {
  const both = await indexOf([place(1, 'Mount Rose'), place(2, 'Mt Rose')])
  expect(ids(search(both, 'mount rose'))).toEqual([1, 2])
  expect(ids(search(both, 'mt rose'))).toEqual([2, 1])
})
