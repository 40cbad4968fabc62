import { expect, test } from 'vitest'
import type { Location } from '../../domain/location.ts'
import { namesOf } from '../../domain/search.ts'
import { documentOf } from './document.ts'

const location: Location = {
  names: [
    { language: 'en', value: 'Prado Museum' },
    { language: 'es', value: 'Museo del Prado', primary: true },
  ],
  alternateNames: ['El Prado'],
  coordinates: { latitude: 40.4138, longitude: -3.6921 },
  categories: [{ id: 'museum', displayName: 'Museum', topLevelCategory: 'ATTRACTION' }],
  attributes: [{ id: 'art', name: 'Art' }],
  addresses: [
    {
      streetAddress: 'Calle de Ruiz de Alarcón 23',
      city: 'Madrid',
      state: 'Madrid',
      postalCode: '28014',
      countryCode: 'ES',
    },
  ],
  geo: 'Madrid',
  neighborhoods: [{ name: 'Jerónimos' }],
  status: { value: 'OPEN' },
  priceLevel: 'MODERATE',
  openingHours: { periods: [{ dayOfWeek: 'MONDAY', opens: '10:00', closes: '20:00' }], timezone: 'Europe/Madrid' },
  externalIds: [
    { source: 'IATA', id: 'XPM' },
    { source: 'wikidata', id: 'Q160112' },
  ],
}

test('a document has the fields of a location that search and nearby use', () => {
  const ratings = { overall: { rating: 4.7, count: 12 } }
  const entry = {
    id: 7n,
    source: 'osm',
    country: 'ES',
    category: 'ATTRACTION' as const,
    location: () => location,
    ratings: () => ratings,
  }
  expect(documentOf(entry)).toEqual({
    id: 7n,
    names: ['Prado Museum', 'Museo del Prado', 'El Prado'],
    nameLanguages: ['en', 'es', undefined],
    primaryName: 1,
    keys: ['iata:XPM', 'wikidata:Q160112'],
    codes: ['XPM'],
    category: 'ATTRACTION',
    categoryIds: ['museum'],
    labels: ['Art'],
    attributeIds: ['art'],
    addresses: ['Calle de Ruiz de Alarcón 23, 28014'],
    surroundings: ['Madrid', 'Jerónimos'],
    locality: ['Madrid', 'Madrid'],
    postalCode: '28014',
    latitude: 40.4138,
    longitude: -3.6921,
    status: 'OPEN',
    priceLevel: 'MODERATE',
    rating: 4.7,
    ratingCount: 12,
    population: 0,
    notability: expect.closeTo(0.238, 3),
    completeness: 0.375,
    openingHours: location.openingHours,
    timezone: 'Europe/Madrid',
    country: 'ES',
    region: 'ES-M',
    source: 'osm',
  })
  expect(namesOf(location)[2]).toEqual({ value: 'El Prado' })
})

test('missing fields of a location are missing in its document', () => {
  const bare: Location = { names: [{ value: 'X' }], coordinates: { latitude: 0, longitude: 0 }, categories: [] }
  const document = documentOf({
    id: 1n,
    source: 's',
    category: 'OTHER',
    location: () => bare,
    ratings: () => undefined,
  })
  expect(document).not.toHaveProperty('country')
  expect(document).toMatchObject({ primaryName: 0, ratingCount: 0, population: 0, surroundings: [], addresses: [] })
})
