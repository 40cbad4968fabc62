/** Rules for the shape of the committed documents. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allDocuments, recordsDocument } from './answers.ts'

type Node = Readonly<Record<string, unknown>>
type Parameter = { name: string; in: string; required: boolean; schema: Node; $ref?: string }

const folder = new URL('../../../../contract/feeds/', import.meta.url)
const lineSchemas = readdirSync(folder)
  .filter(name => name.endsWith('.schema.json'))
  .map((name): [string, Node] => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))])
const documents = Object.entries({ ...allDocuments, v0: recordsDocument }) as [string, Node][]
const everything = [...documents, ...lineSchemas]

/** Yields every node below `node` with its path, such as `/components/schemas/Location`; examples are left out. */
function* walk(node: unknown, path = ''): Generator<[path: string, node: Node]> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield [path, node as Node]
  for (const [name, child] of Object.entries(node))
    if (name !== 'example' && name !== 'examples') yield* walk(child, `${path}/${name}`)
}

/** Returns the paths of the nodes that match. */
const find = (document: Node, matches: (node: Node, path: string) => boolean): string[] =>
  [...walk(document)].filter(([path, node]) => matches(node, path)).map(([path]) => path)

const isNamed = (path: string) => /^\/(?:components\/schemas|\$defs)\/[^/]+$/.test(path)
const isObjectSchema = (node: Node) => node.type === 'object' && typeof node.properties === 'object'

describe.each(everything)('%s', (_name, document) => {
  test('is open: no schema refuses unknown members (SPEC §9.2)', () =>
    expect(find(document, node => 'additionalProperties' in node || 'unevaluatedProperties' in node)).toEqual([]))

  test('names every object', () => {
    const isEmpty = (node: Node) => node.maxProperties === 0
    expect(find(document, (node, path) => isObjectSchema(node) && !isEmpty(node) && !isNamed(path))).toEqual([])
  })

  test('names every enumeration that it uses twice', () => {
    const inline = [...walk(document)].filter(([path, node]) => Array.isArray(node.enum) && !isNamed(path))
    const lists = [...walk(document)].flatMap(([, node]) =>
      Array.isArray(node.enum) ? [JSON.stringify(node.enum)] : [],
    )
    const repeated = inline.filter(([, node]) => lists.filter(one => one === JSON.stringify(node.enum)).length > 1)
    expect(repeated.map(([path]) => path)).toEqual([])
  })

  test('refers only to what exists', () => {
    const refs = [...walk(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
    expect(refs.filter(ref => resolve(document, ref) === undefined)).toEqual([])
  })
})

const resolve = (document: Node, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document)

const dereferenced = (document: Node, node: object): unknown =>
  '$ref' in node ? resolve(document, node.$ref as string) : node

const withOperations = Object.entries(allDocuments) as unknown as [string, Node][]

/** Returns the parameters of every operation, with their references resolved. */
const parametersOf = (document: Node): [operation: string, parameter: Parameter][] =>
  Object.entries(document.paths as Record<string, { get: { parameters: Parameter[] } }>).flatMap(([path, { get }]) =>
    get.parameters.map((one): [string, Parameter] => [path, dereferenced(document, one) as Parameter]),
  )

describe.each(withOperations)('the parameters of %s', (name, document) => {
  const parameters = parametersOf(document)

  test('are lists of at least one element', () => {
    const lists = parameters.filter(([, { schema }]) => schema.type === 'array')
    if (name !== 'feeds') expect(lists.length).toBeGreaterThan(10)
    expect(lists.filter(([, { schema }]) => schema.minItems !== 1)).toEqual([])
  })

  test('have a version with its values, required except in feeds; a key itself has none (R-64)', () => {
    const versions = parameters.filter(([, one]) => one.name === 'version')
    const versioned = Object.keys(document.paths as object).filter(path => !path.startsWith('/account'))
    expect(versions.map(([path]) => path)).toEqual(versioned)
    const values = { v1: ['1', 'v1'], v2: ['2', 'v2'], beta: ['beta'], feeds: ['1', 'v1', '2', 'v2', 'beta'] }
    for (const [, { required, schema }] of versions)
      expect([required, (dereferenced(document, schema) as Node).enum]).toEqual([
        name !== 'feeds',
        values[name as keyof typeof values],
      ])
  })

  test('include a positive radius, and locales with a pattern', () => {
    const schemas = (wanted: string) =>
      parameters.filter(([, one]) => one.name === wanted).map(([, { schema }]) => schema)
    for (const schema of schemas('radius')) {
      expect(schema).toMatchObject({ exclusiveMinimum: 0, maximum: 100 })
      expect(schema).not.toHaveProperty('minimum')
    }
    for (const schema of schemas('locale')) expect(schema).toMatchObject({ items: { pattern: expect.any(String) } })
    for (const schema of schemas('language')) expect(schema).toMatchObject({ pattern: expect.any(String) })
    if (name !== 'feeds') expect([schemas('radius').length, schemas('locale').length > 5]).toEqual([3, true])
  })
})

test.each(['v1', 'v2', 'beta'] as const)('%s: nearby never answers 404, reviews are rated 1 to 5', name => {
  const { paths, components } = allDocuments[name] as unknown as {
    paths: Record<string, { get: { responses: object } }>
    components: { schemas: { Review: { properties: { rating: object } } } }
  }
  for (const path of ['/locations/nearby', '/catalog/locations/nearby'])
    expect(Object.keys(paths[path]!.get.responses)).not.toContain('404')
  expect(components.schemas.Review.properties.rating).toMatchObject({ minimum: 1, maximum: 5 })
})

test('feeds: only files have ranges, and the list of feeds is never missing', () => {
  const { paths } = allDocuments.feeds as unknown as { paths: Record<string, { get: { responses: object } }> }
  const pathsWith = (status: string) => Object.keys(paths).filter(path => status in paths[path]!.get.responses)
  expect(pathsWith('416')).toEqual(['/feeds/{feed}/snapshots/{snapshot}/files/{name}'])
  expect(pathsWith('404')).toEqual(Object.keys(paths).filter(path => path !== '/feeds'))
})
