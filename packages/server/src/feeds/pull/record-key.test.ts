import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseKey, type RecordKey, readHead } from './record-key.ts'

const head = (line: string, kind: 'digits' | 'words') => {
  const bytes = Buffer.from(`before${line}after`)
  return readHead(bytes, 6, 6 + Buffer.byteLength(line), kind)
}

describe('what a line is about (R-45)', () => {
  it.each<[string, RecordKey, boolean]>([
    ['{"id":7,"names":[]}', 7, false],
    ['{"id":7}', 7, false],
    ['{"id":123456789012345}', 123456789012345, false],
    ['{"id":1234567890123456}', 1234567890123456n, false],
    ['{"id":9223372036854775807,"a":1}', 9223372036854775807n, false],
    ['{"id":"42","a":1}', 42, false],
    ['{"id":"9223372036854775807"}', 9223372036854775807n, false],
    ['{"op":"delete","id":5,"reason":"removed"}', 5, true],
    ['{"op":"delete","id":"5"}', 5, true],
    ['{"title":"{\\"id\\":1","id":12}', 12, false],
    ['{"reason":"erased","id":9223372036854775807,"op":"delete"}', 9223372036854775807n, true],
    ['{ "id" : 3 }', 3, false],
  ])('%s', (line, key, tombstone) => {
    expect(head(line, 'digits')).toEqual({ key, tombstone })
  })

  it.each<[string, string, boolean]>([
    ['{"id":"category:HOTEL","label":"Hotel"}', 'category:HOTEL', false],
    ['{"id":"trip_type:\\u00e9\\"x"}', 'trip_type:é"x', false],
    ['{"op":"delete","id":"a:b"}', 'a:b', true],
    ['{"id":"été"}', 'été', false],
  ])('%s in words', (line, key, tombstone) => {
    expect(head(line, 'words')).toEqual({ key, tombstone })
  })

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"a":1}',
    '{"id":null}',
    '{"id":0}',
    '{"id":-1}',
    '{"id":1.5}',
    '{"id":"x"}',
    '{"id":01}',
    '{"id":""}',
    '{"id":12345678901234567890}',
  ])('%s has no id', line => {
    expect(head(line, 'digits')).toBeUndefined()
  })

  it('keys order and equal as the numbers do, however they are written', () => {
    const id = fc.oneof(
      fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: 10n ** 15n - 9n, max: 10n ** 15n + 9n }),
    )
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [x, y] = [head(`{"id":${a}}`, 'digits')!.key, head(`{"id":"${b}","c":1}`, 'digits')!.key]
        expect([x < y, x === y, String(x)]).toEqual([a < b, a === b, String(a)])
        expect(parseKey(String(a), 'digits')).toBe(x)
      }),
    )
  })
})
