import { describe, expect, test } from 'vitest'
import type { TripType } from '../../domain/review.ts'
import { tokens } from '../../kit/tokens.ts'
import { mentions } from '../text/stems.ts'
import { parseIntent } from './intent.ts'
import { hotelKinds } from './kinds.ts'
import { snippetOf } from './snippet.ts'

/** Popularity of the destinations that the lookup of these tests knows, by name. */
const known: Readonly<Record<string, number>> = {
  madrid: 0.9,
  'new york': 0.95,
  york: 0.7,
  athens: 0.85,
  'athens|georgia': 0.6,
  georgia: 0.8,
  nice: 0.74,
  view: 0.2,
  retiro: 0,
  東京: 0.99,
  'マド ドリ リー ード': 0.9,
  '马德 德里': 0.8,
  德里: 0.95,
  essen: 0.77,
  hague: 0.7,
}

const lookUp = (words: readonly string[], within?: string) => {
  const name = words.join(' ') + (within === undefined ? '' : `|${within}`)
  const popularity = known[name]
  return popularity === undefined ? undefined : { names: [[name]], radiusKm: 10, popularity }
}

interface Parsed {
  readonly destination?: string
  readonly categories?: readonly string[]
  readonly trip?: TripType
  readonly words?: readonly string[]
}

const parsed = (text: string, more: Partial<Parameters<typeof parseIntent>[2]> = {}): Parsed => {
  const { destination, categories, tripType, ideas } = parseIntent(text, lookUp, { hasDestination: false, ...more })
  return {
    ...(destination && { destination: destination.names[0]![0]! }),
    ...(categories.length > 0 && { categories }),
    ...(tripType && { trip: tripType }),
    ...(ideas.length > 0 && { words: ideas.map(({ text }) => text) }),
  }
}

describe('parsing an intent (R-43)', () => {
  test.each<[string, Parsed]>([
    [
      'romantic dinner with a view in Madrid',
      { destination: 'madrid', categories: ['RESTAURANT'], trip: 'COUPLES', words: ['romantic', 'dinner', 'view'] },
    ],
    [
      'Madrid romantic dinner',
      { destination: 'madrid', categories: ['RESTAURANT'], trip: 'COUPLES', words: ['romantic', 'dinner'] },
    ],
    ['a nice bar in New York', { destination: 'new york', categories: ['bar'] }],
    ['dinner in a bar in Madrid', { destination: 'madrid', categories: ['bar'], words: ['dinner'] }],
    ['hotel near the beach in Madrid', { destination: 'madrid', categories: hotelKinds, words: ['beach'] }],
    ['restaurants and bars in Madrid', { destination: 'madrid', categories: ['RESTAURANT', 'bar'] }],
    ['museums in Athens Georgia', { destination: 'athens|georgia', categories: ['museum'] }],
    ['museums in Athens, please', { destination: 'athens', categories: ['museum'] }],
    ['quiet rooms in The Hague', { destination: 'hague', categories: ['HOTEL'], words: ['quiet', 'rooms'] }],
    ['vegan sushi Retiro', { destination: 'retiro', categories: ['RESTAURANT'], words: ['vegan', 'sushi'] }],
    ['retiro sushi vegan', { categories: ['RESTAURANT'], words: ['retiro', 'sushi', 'vegan'] }],
    ['rooms with a view', { destination: 'view', categories: ['HOTEL'], words: ['rooms'] }],
    ['马德里 安静的 博物馆', { destination: '马德 德里', categories: ['museum'], words: ['安静'] }],
    ['italienisch essen Madrid', { destination: 'madrid', categories: ['RESTAURANT'], words: ['italienisch'] }],
    ['マドリードの寿司', { destination: 'マド ドリ リー ード', categories: ['RESTAURANT'], words: ['寿司'] }],
    ['japanese garden in Madrid', { destination: 'madrid', categories: ['garden'], words: ['japanese', 'garden'] }],
    ['cocina italiana en Madrid', { destination: 'madrid', categories: ['RESTAURANT'], words: ['italiana'] }],
    ['dîner à Madrid', { destination: 'madrid', categories: ['RESTAURANT'], words: ['diner'] }],
    ['museum with a garden in Madrid', { destination: 'madrid', categories: ['museum'], words: ['garden'] }],
    ['temples in Madrid', { destination: 'madrid', categories: ['temple'], words: ['temples'] }],
    ['5 star hotel open now in Madrid', { destination: 'madrid', categories: hotelKinds }],
    [
      'family house with a hot tub in Madrid',
      { destination: 'madrid', categories: ['HOTEL'], trip: 'FAMILY', words: ['family', 'house', 'hot tub'] },
    ],
    ['opera house in Madrid', { destination: 'madrid', categories: ['opera_house'], words: ['opera', 'house'] }],
    ['Restaurants in Essen', { destination: 'essen', categories: ['RESTAURANT'] }],
    ['hotel con niños en Madrid', { destination: 'madrid', categories: hotelKinds, trip: 'FAMILY', words: ['ninos'] }],
    [
      'restaurant romantique à Madrid',
      { destination: 'madrid', categories: ['RESTAURANT'], trip: 'COUPLES', words: ['romantique'] },
    ],
    [
      'ruhiges Hotel für eine Dienstreise in Madrid',
      { destination: 'madrid', categories: hotelKinds, trip: 'BUSINESS', words: ['ruhiges', 'dienstreise'] },
    ],
    [
      'dove mangiare con amici vicino Madrid',
      { destination: 'madrid', categories: ['RESTAURANT'], trip: 'FRIENDS', words: ['amici'] },
    ],
    [
      'restaurante para viajar sozinho em Madrid',
      { destination: 'madrid', categories: ['RESTAURANT'], trip: 'SOLO', words: ['viajar', 'sozinho'] },
    ],
    ['a loft in Madrid near the station', { destination: 'madrid', categories: ['HOTEL'], words: ['loft', 'station'] }],
    ['bar near the hotel in Madrid', { destination: 'madrid', categories: ['bar'], words: ['hotel'] }],
    ['bed and breakfast in Madrid', { destination: 'madrid', categories: ['bed_and_breakfast'] }],
    ['a couple of museums in Madrid', { destination: 'madrid', categories: ['museum'] }],
    [
      'seafood by the beach in Madrid',
      { destination: 'madrid', categories: ['RESTAURANT'], words: ['seafood', 'beach'] },
    ],
    ['craft beer in Madrid', { destination: 'madrid', categories: ['bar', 'brewery'], words: ['craft beer'] }],
    ['street food in Madrid', { destination: 'madrid', categories: ['RESTAURANT'], words: ['street food'] }],
    ['マドリードのレストラン', { destination: 'マド ドリ リー ード', categories: ['RESTAURANT'] }],
    ['!!! ??? 🍕', {}],
    ['', {}],
  ])('%s', (text, expected) => {
    expect(parsed(text)).toEqual(expected)
  })

  test('a requested trip type takes precedence, and words stay words', () => {
    expect(parsed('romantic hotel in Madrid', { tripType: 'FAMILY' })).toMatchObject({
      trip: 'FAMILY',
      words: ['romantic'],
    })
  })

  test('a requested destination removes only words after "in" from the intent', () => {
    expect(parsed('nice view in Madrid', { hasDestination: true })).toEqual({ words: ['view'] })
    expect(parsed('Madrid madness', { hasDestination: true })).toEqual({ words: ['madrid', 'madness'] })
  })

  test('a requested category leaves other categories to the text', () => {
    expect(parsed('hotel with a restaurant in Madrid', { categories: ['RESTAURANT'] })).toMatchObject({
      categories: ['RESTAURANT'],
      words: ['hotel'],
    })
  })
})

describe('inflections', () => {
  test.each([
    ['view', 'lovely views of the sea', true],
    ['views', 'a view', true],
    ['terrace', 'two terraces', true],
    ['family', 'for families.', true],
    ['romantic', 'un lugar romantico', true],
    ['view', 'an interview', false],
    ['view', 'viewpoints', false],
    ['spa', 'a space', false],
    ['fast', 'the fastest train', false],
    ['quiet', '', false],
    ['浪漫', '很浪漫的酒店', true],
  ])('%s in "%s": %s', (word, text, found) => {
    expect(mentions(word)(text)).toBe(found)
  })
})

describe('snippets', () => {
  const long = `${'One word after the other. '.repeat(20)}The romantic terrace had a splendid view. ${'And more words came. '.repeat(20)}`

  test('a short text is not cut', () => {
    expect(snippetOf(' A  view\nof the sea ', ['view'], 160)).toBe('A view of the sea')
  })

  test('contain the words, are cut between words, and mark each cut', () => {
    const snippet = snippetOf(long, tokens('romantic view'), 160)
    expect(snippet).toContain('romantic terrace had a splendid view')
    expect(snippet.length).toBeLessThan(190)
    expect(snippet).toMatch(/^…\S.*\S…$/)
    for (const word of snippet.slice(1, -1).split(' ')) expect(long.split(/\s+/)).toContain(word)
  })

  test('a word at the very end or beginning', () => {
    expect(snippetOf(`${long}zebra`, ['zebra'], 160)).toMatch(/^….*zebra$/)
    expect(snippetOf(`zebra ${long}`, ['zebra'], 160)).toMatch(/^zebra.*…$/)
  })

  test('texts without spaces are not cut within a character', () => {
    const snippet = snippetOf(`${'好'.repeat(300)}浪漫${'🏝'.repeat(300)}`, ['浪漫'], 160)
    expect(snippet).toContain('浪漫')
    expect(snippet.isWellFormed()).toBe(true)
    expect(snippetOf('🏝'.repeat(500), ['x'], 161).isWellFormed()).toBe(true)
  })
})
