import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLongJson, toLongJson } from './long-json.ts'

/** Serializes a value as responses do: bigints as digits. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, child) => (typeof child === 'bigint' ? toLongJson(child) : child))

describe('64-bit integers through JSON (R-20)', () => {
  it.each([
    ['1', 1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['{"a":[9223372036854775807,"9223372036854775807"]}', { a: [9223372036854775807n, '9223372036854775807'] }],
    ['0.1234567890123456789', Number('0.1234567890123456789')],
    ['1e400', Number.POSITIVE_INFINITY],
    ['1234567890123456789012e5', Number('1234567890123456789012e5')],
    ['{"__proto__":9007199254740993}', JSON.parse('{"__proto__":0}')],
  ])('%s is read', (text, value) => {
    const read = parseLongJson(text)
    if (text.includes('__proto__'))
      expect(Object.getOwnPropertyDescriptor(read, '__proto__')?.value).toBe(9007199254740993n)
    else expect(read).toEqual(value)
  })

  it.each(['', '{', '9223372036854775807n', '[9007199254740993,]'])('rejects %j', text => {
    expect(() => parseLongJson(text)).toThrow(SyntaxError)
  })

  it('parses any value that it wrote', () => {
    const value = fc.letrec(tie => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(n => (typeof toLongJson(n) === 'number' ? Number(n) : n)),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map(n => n + 0),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).tree
    fc.assert(
      fc.property(value, tree => {
        expect(parseLongJson(written(tree))).toEqual(tree)
      }),
      { numRuns: 500 },
    )
  })

  it('never rounds an int64', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), n => {
        expect(written({ n })).toBe(`{"n":${n}}`)
      }),
    )
  })
})
