import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idList } from './id-params.ts'
import { withDefault } from './param.ts'
import { readParams } from './read-params.ts'
import { integer } from './single-params.ts'
import { formatIgnoredParameters } from './unknown-names.ts'

const described = { description: '' }

describe('a set of parameters', () => {
  const set = {
    page: withDefault(integer({ ...described, minimum: 1 }), 1),
    size: withDefault(integer({ ...described, minimum: 1, maximum: 100, aliases: ['limit'] }), 20),
    ids: idList({ ...described, maximum: 3, aliases: ['id', 'ids[]'] }),
  }

  it('reads names and aliases, and ignores unknown names (R-31)', () => {
    expect(readParams(set, { limit: '5', 'ids[]': ['2', '1'], id: '3', foo: 'bar' })).toEqual({
      values: { page: 1, size: 5, ids: [3n, 2n, 1n] },
    })
  })

  it('reports every error, under the documented name (R-13)', () => {
    const read = readParams(set, { page: '0', limit: 'x' })
    expect(read).toEqual({
      errors: [
        { field: 'page', message: 'page must be an integer of at least 1.', rejectedValue: '0' },
        { field: 'size', message: 'size must be an integer from 1 to 100.', rejectedValue: 'x' },
        { field: 'ids', message: 'ids is required: one or more ids separated by commas.' },
      ],
    })
  })

  it('reports unknown names with strict, after the invalid values (R-31)', () => {
    expect(readParams(set, { page: '0', ids: '1', sise: '5', Limit: '6', version: '1', strict: 'TRUE' })).toEqual({
      errors: [
        { field: 'page', message: 'page must be an integer of at least 1.', rejectedValue: '0' },
        { field: 'sise', message: 'sise is not a parameter of this operation. Did you mean size?' },
        { field: 'Limit', message: 'Limit is not a parameter of this operation. Did you mean limit?' },
      ],
    })
  })

  it.each([
    ['maybe', 'strict must be true or false.'],
    ['', 'strict must be true or false.'],
    [['true', 'false'], 'strict was given more than once, with different values.'],
  ])('strict=%s is an error itself', (strict, message) => {
    expect(readParams(set, { ids: '1', foo: '2', strict })).toMatchObject({ errors: [{ field: 'strict', message }] })
  })

  it.each(['false', ['false', 'false']])('strict=%s ignores unknown names', strict => {
    expect(readParams(set, { ids: '1', foo: '2', strict })).toHaveProperty('values')
  })

  it('limits the errors about unknown names, and never repeats a value or a key', () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`name${i}`, 'secret']))
    const key = `peri_live_${'a'.repeat(38)}`
    const read = readParams(set, { ids: '1', [key]: key, ['x'.repeat(5000)]: '', ...many, strict: 'true' })
    const { errors } = read as { errors: { field: string; message: string }[] }
    expect(errors).toHaveLength(10)
    expect(errors.map(({ field }) => field).slice(0, 2)).toEqual(['peri_live_***', `${'x'.repeat(60)}...`])
    expect(JSON.stringify(errors)).not.toMatch(/secret|aaaa/)
  })

  it('truncates a long value', () => {
    const read = readParams(set, { page: 'x'.repeat(1000), ids: '1' })
    expect('errors' in read && read.errors[0]?.rejectedValue).toHaveLength(200)
  })
})

describe('the header Ignored-Parameters (R-31)', () => {
  const set = {
    radius: integer({ ...described, minimum: 1 }),
    lon: integer({ ...described, minimum: 1, aliases: ['longitude'] }),
    ids: idList({ ...described, maximum: 3, aliases: ['ids[]'] }),
  }
  const ofNames = (...names: string[]) =>
    formatIgnoredParameters(set, Object.assign(Object.create(null), Object.fromEntries(names.map(name => [name, '1']))))

  it.each([
    [['radius', 'longitude', 'ids[]', 'version', 'api-version', 'strict'], undefined],
    [['raduis'], 'raduis (radius?)'],
    [['longitud', 'colour'], 'longitud (longitude?), colour'],
    [['id[]'], 'id[] (ids[]?)'],
    [['a,b (c?)'], 'a%2Cb%20%28c%3F%29'],
    [['x\r\nSet-Cookie: a=b'], 'x%0D%0ASet-Cookie%3A%20a%3Db'],
    [['größe', '😀'], 'gr%C3%B6%C3%9Fe, %F0%9F%98%80'],
    [['\ud800', '\0', '"'], '%EF%BF%BD, %00, %22'],
    [['%41', "!'()*"], '%2541, %21%27%28%29%2A'],
    [['key', 'api_key'], 'key, api_key'],
    [[`peri_live_${'a'.repeat(38)}`], 'peri_live_%2A%2A%2A'],
    [['x'.repeat(5000)], `${'x'.repeat(60)}...`],
    [['é'.repeat(5000)], `${'%C3%A9'.repeat(10)}...`],
    [['__proto__', 'constructor', 'hasOwnProperty'], '__proto__, constructor, hasOwnProperty'],
    [[''], undefined],
    [
      Array.from({ length: 4000 }, (_, i) => `p${i}`),
      `${Array.from({ length: 10 }, (_, i) => `p${i}`).join(', ')}, ...`,
    ],
  ])('%#', (names, expected) => expect(ofNames(...names)).toBe(expected))

  it('is a short list of safe characters that parses back to the names, whatever they are', () => {
    // Lone surrogates included.
    const point = fc.oneof(fc.nat(0x7f), fc.nat(0x10_ffff))
    const name = fc.array(point, { minLength: 1, maxLength: 5 }).map(points => String.fromCodePoint(...points))
    const item = /^(?<name>[\w.~%[\]-]+)(?: \((?<suggestion>[a-z[\]-]+)\?\))?$/
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 20 }), names => {
        const unknown = names.filter(one => !['ids', 'lon'].includes(one))
        const header = ofNames(...names) ?? ''
        const items = header.split(', ').filter(one => one !== '')
        expect(header.length).toBeLessThan(1000)
        expect(items).toHaveLength(Math.min(unknown.length, 11))
        const parsed = items.slice(0, 10).map(one => decodeURIComponent(item.exec(one)!.groups!.name!))
        // Not in the same order: integers come first among the members of an object.
        const sent = new Set(unknown.map(one => one.toWellFormed()))
        expect(parsed.filter(one => !sent.has(one))).toEqual([])
      }),
    )
  })
})
