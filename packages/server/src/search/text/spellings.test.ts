import { expect, test } from 'vitest'
import { equalWords, withoutConjunctions } from './abbreviations.ts'
import { joinPossessives, pairSpellings, spellingsOf } from './spellings.ts'

test.each([
  ["McDonald's", ['mcdonalds']],
  ['Arby’s', ['arbys']],
  ["L'Aquila", ['laquila', 'aquila']],
  ["Chicago O'Hare", ['chicago ohare']],
  ['Düsseldorf', ['duesseldorf']],
  ['Århus', ['aarhus']],
  ['Tromsø', ['tromsoe']],
  ['Ærø', ['aeroe']],
  ["Müller's", ['mullers', 'mueller s', 'muellers']],
  ['Hotel Ritz', []],
  ["Dogs' Home", []],
])('%s is also spelt %j', (name, expected) => expect(spellingsOf(name).map(words => words.join(' '))).toEqual(expected))

test('a decomposed umlaut is also spelt with two letters', () => expect(spellingsOf('Ko\u0308ln')).toEqual([['koeln']]))

test.each([
  ["arby's", 'arbys'],
  ['Wendy’s New York', 'Wendys New York'],
  ["St Peter's Basilica", 'St Peters Basilica'],
  ["l'Sagra", "l'Sagra"],
  ["o'hare", "o'hare"],
])('the possessives of %s are joined to %s', (text, joined) => expect(joinPossessives(text)).toBe(joined))

test('umlauts of a query are also spelt with two letters', () =>
  expect([...pairSpellings('Museen in Düsseldorf')]).toEqual([['dusseldorf', 'duesseldorf']]))

test.each([
  ['st', ['street', 'saint', 'sankt', 'sint']],
  ['saint', ['st']],
  ['hauptbahnhof', ['hbf']],
  ['centre', ['ctr', 'center']],
  ['hotel', []],
])('%s means the same as %j', (word, expected) => expect(equalWords(word)).toEqual(expected))

test('a conjunction between two words may be missing', () =>
  expect(withoutConjunctions(['and', 'marks', 'and', 'spencer'])).toEqual([['and', 'marks', 'spencer']]))
