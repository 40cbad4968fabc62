import { expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'

test.each([
  ['Richmond, VA', 'va', 'US-VA'],
  ['richmond, va', 'va', 'US-VA'],
  ['Richmond, VA 23219', 'va', 'US-VA'],
  ['Richmond VA', 'va', 'US-VA'],
  ['hotels NSW', 'nsw', 'AU-NSW'],
  ['Dresden, Saxony', 'saxony', 'DE-SN'],
  ['new york pizza', 'york', 'US-NY'],
])('in "%s", %s is a region', (text, word, region) => {
  expect(parseQuery(text).words.find(one => one.text === word)!.regions).toContain(region)
})

test.each([
  ['hotels in', 'in', 'US-IN'],
  ['la paz', 'la', 'US-LA'],
  ['HOTELS IN PARIS', 'in', 'US-IN'],
  ['VA', 'va', 'US-VA'],
  ['portland or', 'or', 'US-OR'],
])('in "%s", %s is no code as typed', (text, word, region) => {
  expect(parseQuery(text).words.find(one => one.text === word)!.regions ?? []).not.toContain(region)
})

test('a code may be one of a country', () => {
  expect(parseQuery('Lima, PE').words.at(-1)!.country).toBe('PE')
  expect(parseQuery('hotels NZL').words.at(-1)!.country).toBe('NZ')
})
