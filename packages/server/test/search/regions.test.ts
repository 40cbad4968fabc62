import { expect, test } from 'vitest'
import type { SearchQuery } from '../../src/domain/search.ts'
import { Budget } from '../../src/search/index/budget.ts'
import { documentsIn } from '../../src/search/query/understand/place-documents.ts'
import { findPlace } from '../../src/search/query/understand/place-names.ts'
import { ids, indexOf, partedIndexOf, place, search } from './world.ts'

const city = (id: number, name: string, country: string, region: string, population: number) =>
  place(id, name, { category: 'GEO', categoryIds: ['geo:city'], country, region, population })
const hotel = (id: number, name: string, country: string, region: string) =>
  place(id, name, { category: 'HOTEL', categoryIds: ['hotel'], country, region })

const documents = [
  city(1, 'Portland', 'US', 'US-OR', 650_000),
  city(2, 'Portland', 'US', 'US-ME', 68_000),
  city(3, 'Richmond', 'US', 'US-VA', 226_000),
  city(4, 'Richmond', 'US', 'US-CA', 115_000),
  city(5, 'Lima', 'PE', 'PE-LIM', 8_000_000),
  city(6, 'Lima', 'US', 'US-OH', 36_000),
  city(7, 'La Paz', 'BO', 'BO-L', 750_000),
  city(8, 'Dresden', 'DE', 'DE-SN', 560_000),
  city(9, 'Dresden', 'US', 'US-OH', 1_600),
  city(15, 'New York City', 'US', 'US-NY', 8_000_000),
  hotel(10, 'Grand Hotel', 'DE', 'DE-SN'),
  hotel(11, 'Grand Hotel', 'US', 'US-OR'),
  hotel(12, 'Virginia Inn', 'GB', 'GB-WSM'),
  hotel(13, 'Harbour House', 'GB', 'GB-CRF'),
  hotel(14, 'Hotel in the Park', 'DE', 'DE-BY'),
]
const index = await indexOf(documents)
const parted = await partedIndexOf(documents, 4, 3)

test.each<[text: string, query: Partial<SearchQuery>, first: readonly number[]]>([
  ['Richmond, VA', {}, [3]],
  ['richmond virginia', {}, [3]],
  ['Richmond, Virginie', {}, [3]],
  ['richmond ca', {}, [4]],
  ['Portland ME', {}, [2]],
  ['portland or', {}, [1]],
  ['Lima, PE', {}, [5]],
  ['lima oh', {}, [6]],
  ['Dresden, Saxony', {}, [8]],
  ['la paz', {}, [7]],
  ['grand hotel saxony', {}, [10]],
  ['hotels in wales', {}, [13]],
  ['virginia inn', {}, [12]],
  ['nyc', {}, [15]],
  ['grand hotel', { geoName: 'Saxony' }, [10]],
  ['grand hotel', { geoName: 'Portland, OR' }, []],
  ['portland', { geoName: 'United States, OR' }, [1]],
])('%s with %o', (text, query, first) => {
  expect(ids(search(index, text, query)).slice(0, Math.max(1, first.length))).toEqual(first)
  expect(search(parted, text, query)).toEqual(search(index, text, query))
})

test('a region is a destination, unless a town of it has its name', () => {
  const docsIn = (geoName: string) => {
    const budget = Budget.unlimited()
    const destination = findPlace(index, { geoName }, budget)!
    const { segment } = index.parts[0]!
    return Array.from(documentsIn(index.parts[0]!, destination, budget), doc => Number(segment.arrays.id[doc]))
  }
  expect(docsIn('Saxony').sort()).toEqual([10, 8])
  expect(docsIn('England')).toEqual([12])
})
