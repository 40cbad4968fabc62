import { expect, test } from 'vitest'
import { tokens } from '../kit/tokens.ts'
import { countryNamed, countryNames } from './countries.ts'
import { countryCodes, countryOfCode } from './country-codes.ts'

const languages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ru', 'zh', 'ja', 'ko', 'ar', 'el']

test.each(languages)('every country is found by its name in %s', language => {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const wrong = countryCodes.flatMap(code => {
    const name = names.of(code)!
    const found = countryNamed(tokens(name).join(' '))
    return found === code ? [] : [`${name}: ${found} instead of ${code}`]
  })
  expect(wrong).toEqual([])
})

test('no name leads to a withdrawn code', () => {
  const codes = new Set(countryCodes)
  expect([...countryNames()].filter(([, code]) => !codes.has(code))).toEqual([])
  expect(countryCodes.filter(code => new Intl.Locale(`und-${code}`).region !== code)).toEqual([])
})

test.each([
  ['deutschland', 'DE'],
  ['vietnam', 'VN'],
  ['србија', 'RS'],
  ['suomi', 'FI'],
  ['magyarorszag', 'HU'],
  ['turkey', 'TR'],
  ['ivory coast', 'CI'],
  ['burma', 'MM'],
  ['myanmar', 'MM'],
  ['czech republic', 'CZ'],
  ['holland', 'NL'],
  ['uae', 'AE'],
  ['hong kong', 'HK'],
  ['saint lucia', 'LC'],
  ['trinidad and tobago', 'TT'],
  ['us', undefined],
])('%s is %s', (phrase, code) => {
  expect(countryNamed(phrase)).toBe(code)
})

test('codes of countries have two or three letters', () => {
  expect([countryOfCode('NZ'), countryOfCode('NZL'), countryOfCode('XX')]).toEqual(['NZ', 'NZ', undefined])
})
