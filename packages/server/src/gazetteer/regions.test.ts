import { describe, expect, test } from 'vitest'
import { tokens } from '../kit/tokens.ts'
import { borders } from './borders.ts'
import { findRegion } from './place-region.ts'
import { regionsNamed, regionsOfCode } from './regions.ts'

describe('borders (R-143)', () => {
  test.each([
    ['Richmond', 37.55, -77.46, 'US', 'US-VA'],
    ['Madrid', 40.42, -3.7, 'ES', 'ES-M'],
    ['Kagoshima', 31.6, 130.56, 'JP', 'JP-46'],
    ['Saint-Denis on Réunion, by its own country', -20.88, 55.45, 'RE', 'FR-RE'],
    ['San Juan, by its own country', 18.46, -66.1, 'PR', 'US-PR'],
    ['a point without a country', 51.05, 13.74, undefined, 'DE-SN'],
    ['a pier, in the nearest region', 34.0, -118.51, 'US', 'US-CA'],
    ['a town of Germany that the borders place in France', 48.575, 7.8, 'DE', 'DE-BW'],
    ['the open sea', 30, -40, 'US', undefined],
    ['a point in another country', 48.85, 2.35, 'US', undefined],
    ['the south pole', -90, 0, undefined, undefined],
    ['the antimeridian', 65.5, 180, 'RU', 'RU-CHU'],
  ])('%s', (_, latitude, longitude, country, region) => {
    expect(borders().regionAt(latitude, longitude, country)).toBe(region)
  })
})

describe('names of regions', () => {
  test.each([
    ['Virginia', ['US-VA']],
    ['Virginie', ['US-VA']],
    ['Sachsen', ['DE-SN']],
    ['Саксония', ['DE-SN']],
    ['鹿児島県', ['JP-46']],
    ['鹿児島', ['JP-46']],
    ['Kagoshima Prefecture', ['JP-46']],
    ['Punjab', ['IN-PB', 'PK-PB']],
    ['Toscana', 'IT-FI'],
    ['Hauts-de-France', 'FR-59'],
    ['England', 'GB-WSM'],
    ['Wales', 'GB-CRF'],
    ['Irlande du Nord', 'GB-BFS'],
    ['Toskana', 'IT-FI'],
    ['Каталония', 'ES-B'],
    ['Central', []],
    ['City', []],
  ])('%s', (name, codes) => {
    const found = regionsNamed(tokens(name).join(' '))
    if (typeof codes === 'string') expect(found).toContain(codes)
    else expect([...found].sort()).toEqual(codes)
  })

  test('codes are in capitals', () => {
    expect(regionsOfCode('NSW')).toEqual(['AU-NSW'])
    expect(regionsOfCode('VA')).toContain('US-VA')
    expect(regionsOfCode('nsw')).toEqual([])
  })
})

describe('the region of a record', () => {
  const of = (
    state: string | undefined,
    latitude: number,
    longitude: number,
    country: string,
    id = 'geo:city',
    name = 'A',
  ) =>
    findRegion(
      {
        names: [{ value: name }],
        addresses: [{ ...(state !== undefined && { state }) }],
        coordinates: { latitude, longitude },
        categories: [{ id, displayName: '', topLevelCategory: 'GEO' }],
      },
      country,
    )

  test('a city that is called as the region at its border is in it', () => {
    const [latitude, longitude] = [40.71427, -74.00597]
    const city = of(undefined, latitude, longitude, 'US', 'geo:city', 'New York City')
    expect(city.region?.code).toBe('US-NY')
    expect(of('NY', latitude, longitude, 'US').region?.code).toBe('US-NY')
  })

  test.each([
    ['a code', 'IL', 41.9, -87.6, 'US', 'US-IL', 'record', false],
    ['a name', 'Illinois', 41.9, -87.6, 'US', 'US-IL', 'record', false],
    ['a code with its country', 'us-il', 41.9, -87.6, 'US', 'US-IL', 'record', false],
    ['a name of several regions, at the point', 'Toscana', 43.77, 11.25, 'IT', 'IT-FI', 'record', false],
    ['a name next to its region', 'Kansas', 39.1, -94.58, 'US', 'US-KS', 'record', false],
    ['a name far from the point', 'Texas', 41.9, -87.6, 'US', 'US-TX', 'record', true],
    ['no name', undefined, 41.9, -87.6, 'US', 'US-IL', 'point', false],
    ['an unknown name', 'Danmark', 55.68, 12.57, 'DK', 'DK-84', 'point', false],
    ['a name of another country', 'Texas', 48.85, 2.35, 'FR', 'FR-75', 'point', false],
  ])('%s', (_, state, latitude, longitude, country, code, from, differs) => {
    expect(of(state, latitude, longitude, country)).toEqual({ region: { code, from }, differs })
  })

  test('a country has no region', () => {
    expect(of(undefined, 46, 2, 'FR', 'geo:country')).toEqual({ differs: false })
  })
})
