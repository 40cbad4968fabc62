import { expect, test } from 'vitest'
import { indentJson } from './indent-json.ts'

test('JSON is indented as JSON.stringify does', () => {
  const value = { a: [1, { b: '{"x":[1,2]}\\' }], c: {}, d: [], e: 'é:,', f: null, g: -1.5e-7 }
  for (const text of [JSON.stringify(value), JSON.stringify(value, null, 4)])
    expect(indentJson(text).replaceAll(/\{\s*\}/g, '{}')).toBe(JSON.stringify(value, null, 2))
})

test('integers beyond 53 bits keep their digits, and other texts stay as they are', () => {
  expect(indentJson('{"id":9223372036854775807}')).toBe('{\n  "id": 9223372036854775807\n}')
  expect(indentJson('no JSON: {')).toBe('no JSON: {')
})
