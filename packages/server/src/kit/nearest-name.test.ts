import { expect, test } from 'vitest'
import { findNearest } from './nearest-name.ts'

const names = [
  'radius',
  'lat',
  'lon',
  'locale',
  'q',
  'ids[]',
  'location_id',
  'rating_min',
  'sort_by',
  'published_after_ts',
  'published_after_id',
]

test.each([
  ['raduis', 'radius'],
  ['RADIUS', 'radius'],
  ['lattt', 'lat'],
  ['ln', 'lon'],
  ['locationId', 'location_id'],
  ['lokale', 'locale'],
  ['x', undefined],
  ['Q', 'q'],
  ['', undefined],
  ['__proto__', undefined],
  ['colour', undefined],
  ['min_rating', 'rating_min'],
  ['MIN-RATING', 'rating_min'],
  ['sort', 'sort_by'],
  ['so', undefined],
  ['published', undefined],
  ['---', undefined],
  ['r'.repeat(5000), undefined],
])('%s: %s', (name, expected) => expect(findNearest(name, names)).toBe(expected))
