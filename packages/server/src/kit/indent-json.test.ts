import { expect, test } from 'vitest'
import { indentBody, indentJson } from './indent-json.ts'

test('indents as JSON.stringify does, and keeps all digits', () => {
  const value = { a: [1, { b: 'x,{"[\\":' }, []], c: {}, d: 'ü😀\n', e: null, f: [[true]] }
  const indented = JSON.stringify(value, undefined, 2)
  expect(indentJson(JSON.stringify(value))).toBe(indented)
  expect(indentBody(Buffer.from(JSON.stringify(value))).toString()).toBe(`${indented}\n`)
  expect(indentJson('{"id":9223372036854775807}')).toBe('{\n  "id": 9223372036854775807\n}')
})
