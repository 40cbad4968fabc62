import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { MatchRecord } from './record.ts'
import { compareStreets } from './streets.ts'

const restaurant = (street: string, longitude: number): MatchRecord => ({
  names: [['spicy', 'moon']],
  placeClass: 'food',
  categoryId: 'restaurant',
  point: { latitude: 40.7, longitude },
  street: street.split(' '),
  areas: [['new', 'york']],
  phones: [],
  website: 'spicymoon.example',
  keys: [],
})
const context = { weightOf: () => 1, isShared: () => false }

test('a place of one name at another address is only possible, unless it is as near as a neighbour (R-148)', () => {
  const one = restaurant('68 west 3rd street', -74)
  const decisionOf = (other: MatchRecord) => decide(one, other, context, false).decision
  expect(decisionOf(restaurant('68 w 3rd st', -74.0005))).toBe('same')
  expect(decisionOf(restaurant('70 west 3rd street', -74.0005))).toBe('same')
  expect(decisionOf(restaurant('328 east 6th street', -74.002))).toBe('possible')
})

test('a number may be the name of a street, and compass words may be abbreviated', () => {
  const compare = (a: string, b: string) => compareStreets(a.split(' '), b.split(' '), new Set(['west']))?.agrees
  expect(compare('68 west 3rd street', '68 w 3rd st')).toBe(true)
  expect(compare('101 w franklin st', '101 west franklin street')).toBe(true)
  expect(compare('68 west 3rd street', '328 east 6th street')).toBe(false)
})
