import { describe, expect, test } from 'vitest'
import type { TripType } from '../../domain/review.ts'
import { mentions } from '../text/stems.ts'
import { tokens } from '../text/tokens.ts'
import { parseIntent } from './intent.ts'
import { snippetOf } from './snippet.ts'

/** What the lookup of these tests knows: name -> popularity. */
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
  essen: 0.77,
  hague: 0.7,
}

const lookUp = (words: readonly string[], within?: string) => {
  const name = words.join(' ') + (within === undefined ? '' : `|${within}`)
  const popularity = known[name]
  return popularity === undefined ? undefined : { names: [[name]], radiusKm: 10, popularity }
}

interface Apart {
  readonly place?: string
  readonly kinds?: readonly string[]
  readonly trip?: TripType
  readonly words?: readonly string[]
}

const apart = (text: string, more: Partial<Parameters<typeof parseIntent>[2]> = {}): Apart => {
  const { place, kinds, tripType, words } = parseIntent(text, lookUp, { placeGiven: false, ...more })
  return {
    ...(place && { place: place.names[0]![0]! }),
    ...(kinds.length > 0 && { kinds }),
    ...(tripType && { trip: tripType }),
    ...(words.length > 0 && { words }),
  }
}

describe('an intent is taken apart (R-43)', () => {
  test.each<[string, Apart]>([
    [
      'romantic dinner with a view in Madrid',
      { place: 'madrid', kinds: ['RESTAURANT'], trip: 'COUPLES', words: ['romantic', 'dinner', 'view'] },
    ],
    [
      'Madrid romantic dinner',
      { place: 'madrid', kinds: ['RESTAURANT'], trip: 'COUPLES', words: ['romantic', 'dinner'] },
    ],
    ['a nice bar in New York', { place: 'new york', kinds: ['bar'] }],
    ['dinner in a bar in Madrid', { place: 'madrid', kinds: ['bar'], words: ['dinner'] }],
    ['hotel near the beach in Madrid', { place: 'madrid', kinds: ['HOTEL'], words: ['beach'] }],
    ['restaurants and bars in Madrid', { place: 'madrid', kinds: ['RESTAURANT', 'bar'] }],
    ['museums in Athens Georgia', { place: 'athens|georgia', kinds: ['museum'] }],
    ['museums in Athens, please', { place: 'athens', kinds: ['museum'] }],
    ['quiet rooms in The Hague', { place: 'hague', words: ['quiet', 'rooms'] }],
    ['vegan sushi Retiro', { place: 'retiro', words: ['vegan', 'sushi'] }],
    ['retiro sushi vegan', { words: ['retiro', 'sushi', 'vegan'] }],
    ['rooms with a view', { place: 'view', words: ['rooms'] }],
    ['Restaurants in Essen', { place: 'essen', kinds: ['RESTAURANT'] }],
    ['hotel con niños en Madrid', { place: 'madrid', kinds: ['HOTEL'], trip: 'FAMILY', words: ['ninos'] }],
    [
      'restaurant romantique à Madrid',
      { place: 'madrid', kinds: ['RESTAURANT'], trip: 'COUPLES', words: ['romantique'] },
    ],
    [
      'ruhiges Hotel für eine Dienstreise in Madrid',
      { place: 'madrid', kinds: ['HOTEL'], trip: 'BUSINESS', words: ['ruhiges', 'dienstreise'] },
    ],
    [
      'dove mangiare con amici vicino Madrid',
      { place: 'madrid', kinds: ['RESTAURANT'], trip: 'FRIENDS', words: ['amici'] },
    ],
    [
      'restaurante para viajar sozinho em Madrid',
      { place: 'madrid', kinds: ['RESTAURANT'], trip: 'SOLO', words: ['viajar', 'sozinho'] },
    ],
    ['マドリードのレストラン', { place: 'マド ドリ リー ード', kinds: ['RESTAURANT'] }],
    ['!!! ??? 🍕', {}],
    ['', {}],
  ])('%s', (text, expected) => {
    expect(apart(text)).toEqual(expected)
  })

  test('the trip type that is asked for wins, and words stay words', () => {
    expect(apart('romantic hotel in Madrid', { tripType: 'FAMILY' })).toMatchObject({
      trip: 'FAMILY',
      words: ['romantic'],
    })
  })

  test('a place that is given takes no words of the intent away but those behind "in"', () => {
    expect(apart('nice view in Madrid', { placeGiven: true })).toEqual({ words: ['view'] })
    expect(apart('Madrid madness', { placeGiven: true })).toEqual({ words: ['madrid', 'madness'] })
  })

  test('a category that is asked for leaves other kinds to the text', () => {
    expect(apart('hotel with a restaurant in Madrid', { categories: ['RESTAURANT'] })).toMatchObject({
      kinds: ['RESTAURANT'],
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
    ['quiet', '', false],
    ['浪漫', '很浪漫的酒店', true],
  ])('%s in "%s": %s', (word, text, found) => {
    expect(mentions(word)(text)).toBe(found)
  })
})

describe('snippets', () => {
  const long = `${'One word after the other. '.repeat(20)}The romantic terrace had a splendid view. ${'And more words came. '.repeat(20)}`

  test('a short text is whole', () => {
    expect(snippetOf(' A  view\nof the sea ', ['view'], 160)).toBe('A view of the sea')
  })

  test('hold the words, are cut between words, and say so', () => {
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

  test('texts without blanks, and no half characters', () => {
    const snippet = snippetOf(`${'好'.repeat(300)}浪漫${'🏝'.repeat(300)}`, ['浪漫'], 160)
    expect(snippet).toContain('浪漫')
    expect(snippet.isWellFormed()).toBe(true)
    expect(snippetOf('🏝'.repeat(500), ['x'], 161).isWellFormed()).toBe(true)
  })
})
