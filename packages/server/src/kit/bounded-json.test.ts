import { expect, test } from 'vitest'
import { parseBoundedJson } from './bounded-json.ts'

const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`

test('parses up to 1000 levels, whatever the braces in strings', () => {
  const braces = JSON.stringify([' '.repeat(20_000), '{[\\"'.repeat(5000), '\\\\'])
  expect(parseBoundedJson(braces)).toEqual(JSON.parse(braces))
  expect(parseBoundedJson(nested(1000) + ' '.repeat(20_000))).toBeDefined()
})

test.each([nested(1002) + ' '.repeat(20_000), `[${'{"a":1,"b":'.repeat(10_900)}{"c"`, `["${'a'.repeat(20_000)}`])(
  'invalid JSON is a SyntaxError: %#',
  text => expect(() => parseBoundedJson(text)).toThrow(SyntaxError),
)
