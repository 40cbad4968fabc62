import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Projection, projectJson } from './project-json.ts'

/** A projection as nested objects: `true` keeps a member, `…` keeps those that are not listed. */
interface Shape {
  readonly [name: string]: Shape | true
}

const toProjection = ({ '…': others, ...members }: Shape): Projection => ({
  members: new Map(Object.entries(members).map(([name, of]) => [name, of === true ? true : toProjection(of)])),
  keepsOthers: others === true,
})

const project = (json: string, shape: Shape): string => projectJson(Buffer.from(json), toProjection(shape)).toString()

describe('projectJson', () => {
  test.each<[string, Shape, string]>([
    ['{"a":1,"b":2}', { b: true }, '{"b":2}'],
    ['{"a":{"b":1,"c":[1,{"d":2}]},"e":3}', { a: { c: true } }, '{"a":{"c":[1,{"d":2}]}}'],
    ['[{"a":1,"b":2},{"b":3}]', { a: true }, '[{"a":1}]'],
    ['{"a":[{"b":1},{"c":2}],"d":[{"b":1}]}', { a: { c: true }, d: { c: true } }, '{"a":[{"c":2}]}'],
    ['{"data":[],"page":1}', { '…': true, data: { id: true } }, '{"data":[],"page":1}'],
    ['{"id":9223372036854775807,"x":1e-7}', { id: true }, '{"id":9223372036854775807}'],
    ['{"a":"}\\"],\\\\","b":"ü\\u0041 \\\\\\""}', { b: true }, '{"b":"ü\\u0041 \\\\\\""}'],
    ['{"a":null,"b":true,"c":-1.5}', { a: true, c: true }, '{"a":null,"c":-1.5}'],
    ['{"a":"text"}', { a: { b: true } }, '{"a":"text"}'],
    ['[[{"a":1,"b":1}],[]]', { a: true }, '[[{"a":1}],[]]'],
  ])('%s by %j is %s', (json, shape, expected) => {
    expect(project(json, shape)).toBe(expected)
  })

  test('keeps whole members byte by byte', () => {
    const check = fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(project(JSON.stringify({ a, b }), { a: true })).toBe(JSON.stringify({ a }))
      expect(project(JSON.stringify({ a, b }), { '…': true })).toBe(JSON.stringify({ a, b }))
    })
    fc.assert(check)
  })

  test('keeps each item of a list in its order', () => {
    const items = fc.array(fc.record({ id: fc.bigInt(), of: fc.jsonValue() }), { minLength: 1 })
    const check = fc.property(items, list => {
      const json = list.map(({ id, of }) => `{"of":${JSON.stringify(of)},"id":${id}}`).join(',')
      expect(project(`[${json}]`, { id: true })).toBe(`[${list.map(({ id }) => `{"id":${id}}`).join(',')}]`)
    })
    fc.assert(check)
  })
})
