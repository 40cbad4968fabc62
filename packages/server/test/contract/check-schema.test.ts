/** `kit/check-schema.ts` finds what Typebox finds, in settings and in the requests of the admin API. */

import fc from 'fast-check'
import { Settings } from 'typebox/system'
import Value from 'typebox/value'
import { expect, test } from 'vitest'
import { settings } from '../../src/config/setting.ts'
import { type CheckedSchema, fillDefaults, findSchemaErrors } from '../../src/kit/check-schema.ts'
import { apiRoutes } from '../../src/management/routes.ts'

// By default, Typebox reports the first few errors only.
Settings.Set({ maxErrors: 10_000 })

const schemas = new Map<string, CheckedSchema>([
  ['settings', settings],
  ...apiRoutes.flatMap(({ method, path, query, body }) => [
    ...(query ? [[`query of ${method} ${path}`, query as CheckedSchema] as const] : []),
    ...(typeof body === 'object' ? [[`body of ${method} ${path}`, body as CheckedSchema] as const] : []),
  ]),
])

const checkedKeywords =
  /^(type|const|enum|anyOf|items|properties|patternProperties|additionalProperties|required|pattern|format|default|uniqueItems|(min|max)(Length|Items)|(exclusiveM|m)(ini|axi)mum)$/
const annotations = /^(description|examples|deprecated|title)$/

const listNodes = (node: CheckedSchema): CheckedSchema[] => [
  node,
  ...[
    ...(node.anyOf ?? []),
    ...(node.items ? [node.items] : []),
    ...Object.values({ ...node.properties, ...node.patternProperties }),
  ].flatMap(listNodes),
]

test('every keyword of the schemas is checked', () => {
  const nodes = [...schemas.values()].flatMap(listNodes)
  const keywords = new Set(nodes.flatMap(Object.keys))
  expect([...keywords].filter(keyword => !checkedKeywords.test(keyword) && !annotations.test(keyword))).toEqual([])
  const formats = nodes.map(({ format = 'date' }) => format)
  expect(formats.filter(format => format !== 'date' && format !== 'date-time')).toEqual([])
  expect(nodes.filter(({ additionalProperties = false }) => additionalProperties !== false)).toEqual([])
})

const strings = [
  '',
  'a',
  'ünï',
  '😀',
  '2026-01-31',
  '2026-02-30',
  '2026-01-31T12:00:00Z',
  '2026-01-31T25:00:00Z',
  '/',
  '12',
]
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...strings, null, true, false, 0, -1, 0.5, 1, 12, 1e15),
  fc.string({ maxLength: 300 }),
)

/** Generates values that mostly fit a schema. */
function generateFor(node: CheckedSchema): fc.Arbitrary<unknown> {
  const { anyOf, items, properties, patternProperties } = node
  const fitting: fc.Arbitrary<unknown>[] = []
  if (node.enum) fitting.push(fc.constantFrom(...node.enum))
  if (node.const !== undefined) fitting.push(fc.constant(node.const))
  if (node.default !== undefined) fitting.push(fc.constant(node.default))
  if (anyOf) fitting.push(...anyOf.map(generateFor))
  if (items) fitting.push(fc.array(generateFor(items), { maxLength: 3 }))
  if (properties) {
    const members = Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, generateFor(child)]))
    fitting.push(fc.record({ ...members, unknown: scalar }, { requiredKeys: [] }))
  }
  for (const child of Object.values(patternProperties ?? {}))
    fitting.push(fc.dictionary(fc.constantFrom('v1', 'a', ''), generateFor(child), { maxKeys: 2 }))
  if (fitting.length === 0) return scalar
  return fc.oneof({ weight: 9, arbitrary: fc.oneof(...fitting) }, { weight: 1, arbitrary: scalar })
}

/** Errors as texts, each once, in their order. Typebox reports an unknown member at the object, too. */
function errorsOfTypebox(schema: CheckedSchema, value: unknown): string[] {
  const found = [...Value.Errors(schema as object, value)].flatMap(({ keyword, instancePath, params }) => {
    const path = instancePath.replaceAll('~1', '/').replaceAll('~0', '~')
    if (keyword === 'additionalProperties') return []
    if (keyword === 'required')
      return (params as { requiredProperties: string[] }).requiredProperties.map(name => `missing ${path}/${name}`)
    return [`${keyword === 'boolean' ? 'unknown' : 'wrong'} ${path}`]
  })
  return [...new Set(found)]
}

const errorsOf = (schema: CheckedSchema, value: unknown): string[] => [
  ...new Set(
    findSchemaErrors(schema, value).map(({ kind, path }) => [`${kind} `, ...path].join('/').replace(' /', ' /')),
  ),
]

test.each([...schemas])('%s', (_name, schema) => {
  fc.assert(
    fc.property(generateFor(schema), value => {
      expect(errorsOf(schema, value).sort()).toEqual(errorsOfTypebox(schema, value).sort())
    }),
    { numRuns: 40 },
  )
})

test('defaults are filled in at every depth, and the input stays as it is', () => {
  const schema: CheckedSchema = {
    type: 'object',
    properties: {
      section: {
        type: 'object',
        default: {},
        properties: { port: { type: 'integer', default: 8080 }, host: { type: 'string' } },
      },
      list: { type: 'array', items: { type: 'object', properties: { on: { type: 'boolean', default: false } } } },
      either: { anyOf: [{ type: 'null' }, { type: 'object', properties: { n: { type: 'integer', default: 1 } } }] },
    },
  }
  const input = { list: [{}, { on: true }], either: {}, other: 1 }
  expect(fillDefaults(schema, input)).toEqual({
    list: [{ on: false }, { on: true }],
    either: { n: 1 },
    other: 1,
    section: { port: 8080 },
  })
  expect(input).toEqual({ list: [{}, { on: true }], either: {}, other: 1 })
  expect(fillDefaults(schema, null)).toBeNull()
  const parsed = JSON.parse('{"__proto__":{"port":1}}')
  expect(Object.keys(fillDefaults(schema, parsed) as object)).toEqual(['__proto__', 'section'])
})
