import { expect, test } from 'vitest'
import { pairFields } from './json-differences.ts'

test('fields are paired by their paths, with all digits of ids', () => {
  const before = '{"id":9007199254740993,"price_level":"$$","names":[{"text":"A"}],"photos":[]}'
  const after = '{"id":9007199254740993,"price_level":{"value":2},"names":[{"text":"A"},{"text":"B"}],"open":null}'
  expect(pairFields(before, after)).toEqual([
    { path: 'id', before: '9007199254740993', after: '9007199254740993' },
    { path: 'names[0].text', before: '"A"', after: '"A"' },
    { path: 'names[1].text', before: undefined, after: '"B"' },
    { path: 'open', before: undefined, after: 'null' },
    { path: 'photos', before: '[]', after: undefined },
    { path: 'price_level', before: '"$$"', after: undefined },
    { path: 'price_level.value', before: undefined, after: '2' },
  ])
})
