import { describe, expect, test } from 'vitest'
import type { Interpretation } from '../../src/domain/interpretation.ts'
import type { MatchKind, SearchQuery } from '../../src/domain/search.ts'
import { indexOf, place, search } from './world.ts'

const geo = (id: number, name: string, country: string, population: number, latitude: number, longitude: number) =>
  place(id, name, { category: 'GEO', categoryIds: ['geo:city'], country, population, latitude, longitude })
const inLyon = { country: 'FR', surroundings: ['Lyon'], latitude: 45.76, longitude: 4.83 }
const restaurant = { category: 'RESTAURANT', categoryIds: ['restaurant'] } as const

const index = await indexOf([
  geo(1, 'Lyon', 'FR', 520_000, 45.76, 4.83),
  geo(2, 'Granada', 'ES', 230_000, 37.18, -3.6),
  geo(3, 'Granada', 'NI', 105_000, 11.93, -85.95),
  place(4, 'Chez Marguerite', { ...restaurant, ...inLyon, addresses: ['12 Rue Victor Hugo, 69002'] }),
  place(5, "Wendy's", { ...restaurant, country: 'US' }),
  place(6, 'Palais Lumiere', { category: 'HOTEL', categoryIds: ['hotel'], ...inLyon }),
  place(7, 'Plaza Colon', { category: 'HOTEL', categoryIds: ['hotel'], surroundings: ['Granada'], country: 'ES' }),
])

const explained = (text: string, more: Partial<SearchQuery> = {}) => search(index, text, { explain: true, ...more })

describe('how a result matches (R-156)', () => {
  test.each<[string, MatchKind, number, number]>([
    ['chez marguerite', 'exact', 0.999, 1],
    ['wendys', 'variant', 0.9, 1],
    ['chez marg', 'prefix', 0.7, 0.999],
    ['chez margeurite', 'typo', 0.6, 0.95],
    ['restaurants in lyon', 'category', 1, 1],
    ['12 rue victor hugo lyon', 'address', 0.35, 0.9],
    ['palais lumiere qqxzv', 'partial', 0.35, 0.8],
    ['hotel adlon lyon', 'partial', 0.35, 0.8],
  ])('%s: %s', (text, kind, least, most) => {
    const { match } = explained(text).hits[0]!
    expect(match!.kind).toBe(kind)
    expect(match!.confidence).toBeGreaterThanOrEqual(least)
    expect(match!.confidence).toBeLessThanOrEqual(most)
  })

  test('a query that does not ask for it has neither matches nor an interpretation', () => {
    const { hits, interpretation } = search(index, 'lyon')
    expect([hits[0]!.match, interpretation]).toEqual([undefined, undefined])
  })
})

test.each<[string, Partial<Interpretation>, Partial<SearchQuery>?]>([
  ['chez margeurite', { corrected: [{ from: 'margeurite', to: 'marguerite' }] }],
  ['palaislumiere', { corrected: [{ from: 'palaislumiere', to: 'palais lumiere' }] }],
  ['chez marguerite', { corrected: [], alternatives: [], needs: [] }],
  ['hotels in granada', { alternatives: [{ id: 3n, name: 'Granada', role: 'in', countryCode: 'NI' }] }],
  ['restaurants near me', { needs: ['location'] }],
  ['restaurants near me', { needs: [] }, { near: { latitude: 45.76, longitude: 4.83 } }],
  ['quiet romantic restaurants in lyon', { suggest: 'recommendations' }],
])('the interpretation of "%s"', (text, expected, more) =>
  expect(explained(text, more).interpretation).toMatchObject(expected),
)
