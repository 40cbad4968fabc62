import { expect, test } from 'vitest'
import { findNearest } from './nearest-name.ts'

const names = ['radius', 'lat', 'lon', 'locale', 'q', 'ids[]', 'location_id']

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
  ['r'.repeat(5000), undefined],
])('%s: %s', (name, expected) => expect(findNearest(name, names)).toBe(expected))
