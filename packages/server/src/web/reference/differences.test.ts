import { expect, test } from 'vitest'
import { compareDocuments } from './differences.ts'
import type { OpenApiDocument, Parameter, Schema } from './openapi.ts'

const documentOf = (parameters: readonly Parameter[], result: Schema['properties'], example: object) =>
  ({
    paths: {
      '/locations/search': {
        get: {
          operationId: 'searchLocations',
          parameters,
          responses: { '200': { content: { 'application/json': { example: { data: [example] } } } } },
        },
      },
    },
    components: { schemas: { SearchResult: { type: 'object', properties: result } } },
  }) as unknown as OpenApiDocument

const parameter = (name: string, schema: Schema, example?: unknown): Parameter => ({
  name,
  in: 'query',
  required: false,
  description: '',
  schema,
  ...(example !== undefined && { example }),
})

test('parameters and fields of results have the values of the examples', () => {
  const text: Schema = { type: 'string' }
  const before = documentOf([parameter('language', text, 'en')], { id: { type: 'integer' } }, { id: 1 })
  const after = documentOf(
    [parameter('language', { ...text, enum: ['en', 'es'] }, 'es'), parameter('ids', { type: 'array' }, ['1', '2'])],
    { id: { type: 'integer' }, score: { type: 'number' }, matched: { properties: { value: text } } },
    { id: 1, score: 12.5, matched: { value: 'Museo' } },
  )
  const operation = 'searchLocations'
  expect(compareDocuments(before, after)).toEqual([
    {
      of: 'Search result',
      name: 'score',
      before: undefined,
      after: 'number',
      operation,
      examples: { before: undefined, after: '12.5' },
    },
    {
      of: 'Search result',
      name: 'matched',
      before: undefined,
      after: 'object {value}',
      operation,
      examples: { before: undefined, after: '{ "value": "Museo" }' },
    },
    {
      of: 'GET /locations/search',
      name: 'language',
      before: 'string',
      after: 'string: en, es',
      operation,
      examples: { before: 'en', after: 'es' },
    },
    {
      of: 'GET /locations/search',
      name: 'ids',
      before: undefined,
      after: 'list of any',
      operation,
      examples: { before: undefined, after: '1,2' },
    },
  ])
})

test('endpoints, bodies and members of responses differ by method', () => {
  const posted = (body: Schema['properties'], response: Schema['properties'], more = {}) => {
    const content = (properties: Schema['properties']) => ({ 'application/json': { schema: { properties } } })
    const post = {
      operationId: 'matchLocations',
      summary: 'Match several records',
      parameters: [],
      requestBody: { content: content(body) },
      responses: { '200': { content: content(response) } },
    }
    const paths = { '/locations/match': { post, ...more } }
    return { paths, components: { schemas: {} } } as unknown as OpenApiDocument
  }
  const text: Schema = { type: 'string' }
  const before = posted({ records: { type: 'array', items: { properties: { name: text } } } }, { data: text })
  const after = posted(
    { records: { type: 'array', items: { properties: { name: text, phone: text } } } },
    { data: text, interpretation: { properties: { kind: text } } },
    { get: { operationId: 'matchLocation', summary: 'Match a record', parameters: [], responses: {} } },
  )
  expect(compareDocuments(before, after).map(({ of, name, before, after }) => [of, name, before, after])).toEqual([
    ['Endpoint', 'GET /locations/match', undefined, 'Match a record'],
    ['POST /locations/match, body', 'records[].phone', undefined, 'string'],
    ['POST /locations/match, response', 'interpretation', undefined, 'object {kind}'],
  ])
})
