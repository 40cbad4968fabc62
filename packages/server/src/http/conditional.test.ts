import { expect, it } from 'vitest'
import { isNotModified } from './conditional.ts'

it.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['*', true],
  [' * ', true],
  ['"b"', false],
  ['"b", "a"', true],
  ['"b","c",W/"a"', true],
  ['a', false],
  ['"A"', false],
  ['"a', false],
  ['W/*', false],
  ['w/"a"', false],
])('If-None-Match %j against "a": %s (R-26)', (header, expected) => expect(isNotModified(header, '"a"')).toBe(expected))
