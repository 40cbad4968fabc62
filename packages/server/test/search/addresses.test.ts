import { expect, test } from 'vitest'
import type { SearchQuery } from '../../src/domain/search.ts'
import { ids, indexOf, partedIndexOf, place, search } from './world.ts'

const documents = [
  place(1, 'Madrid', { category: 'GEO', population: 3_200_000, country: 'ES' }),
  place(2, 'Prado', {
    addresses: ['Calle de Ruiz de Alarcón 23, 28014'],
    postalCode: '28014',
    surroundings: ['Madrid'],
  }),
  place(3, 'Casa Sol', { addresses: ['Calle del Prado 7, 28014'], postalCode: '28014', surroundings: ['Madrid'] }),
  place(4, 'Flamingo', { addresses: ['3555 Las Vegas Boulevard South, 89109'], surroundings: ['Las Vegas'] }),
  place(5, 'Caesars', { addresses: ['3570 Las Vegas Boulevard South, 89109'], surroundings: ['Las Vegas'] }),
  place(6, 'Sonne', { addresses: ['Hauptstraße 5, 80331'], postalCode: '80331', surroundings: ['München'] }),
  place(7, 'Area 51'),
  place(8, 'Old Pub', { addresses: ['1 Mill Lane, SW1A 1AA'], postalCode: 'SW1A 1AA', surroundings: ['London'] }),
  place(9, 'Paris', { category: 'GEO', population: 2_100_000 }),
  place(11, 'Kanal', { addresses: ['Ringen 1, 1100'], postalCode: '1100', surroundings: ['København'] }),
  place(12, 'Hills', { addresses: ['1100 Hill Road, 90210-4455'], postalCode: '90210-4455' }),
  place(13, 'Horno', { addresses: ['de Cuchilleros, 17, 28005'], surroundings: ['Madrid'] }),
  place(14, 'Fountains', { addresses: ['3600 Las Vegas Blvd S, 89109'], surroundings: ['Las Vegas'] }),
  place(15, 'Mill', { addresses: ['19 East Mill Street'] }),
  place(10, 'Apartments Prado 7', { surroundings: ['Lisboa'] }),
]
const index = await indexOf(documents)
const parts = await partedIndexOf(documents, 3, 1)

test.each<[name: string, query: string, found: number[], more?: Partial<SearchQuery>]>([
  ['a number and a street', '3570 las vegas blvd', [5]],
  ['a misspelled street', '3570 las vegs boulevard', [5]],
  ['a number that the street does not have', '3601 las vegas blvd', [4, 5, 14]],
  ['a compound name of a street', 'hauptstrasse 5 münchen', [6]],
  ['a number and a place', 'alarcon 23 madrid', [2]],
  ['a postal code', '28014', [2, 3]],
  ['a postal code, not a number of a house', '1100', [11]],
  ['the beginning of a long postal code', '90210', [12]],
  ['a postal code and a place', '28014 madrid', [2, 3]],
  ['a postal code of two words', 'sw1a 1aa', [8]],
  ['a postal code that no place has, and a place', '99999 madrid', [1]],
  ['a street without its kind', 'calle de cuchilleros 17 madrid', [13]],
  ['a number and a name', 'cuchilleros 17', [13]],
  ['a number and another name', 'cuchillero 18', []],
  ['compass points as letters', '3600 las vegas boulevard south', [14]],
  ['a name with a number', 'area 51', [7]],
  ['a name comes before an address', 'prado 7', [10]],
  ['a number alone', '4711', []],
  ['the other form of a compass point', '19 e mill street', [15]],
  ['a name on a street without a number', 'horno on calle de cuchilleros', [13]],
  ['names alone on request', '28014 madrid', [1], { type: 'NAME' }],
])('%s: %s', (_name, query, found, more) => {
  expect(ids(search(index, query, more)).sort((a, b) => a - b)).toEqual(found)
  expect(search(parts, query, more)).toEqual(search(index, query, more))
})
