import { describe, expect, it } from 'vitest'
import { maxId, parseId } from './id.ts'

describe('ids (R-20)', () => {
  it.each([
    ['1', 1n],
    ['007', 7n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', maxId],
  ])('%s', (text, id) => expect(parseId(text)).toBe(id))

  it.each([
    '',
    '0',
    '000',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '1 ',
    '1n',
    '9223372036854775808',
    '10000000000000000000',
    '99999999999999999999',
    '١',
    '１',
    'NaN',
    '1\n',
  ])('%j is not an id', text => expect(parseId(text)).toBeUndefined())
})
