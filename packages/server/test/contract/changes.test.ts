import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { breaksBetween } from './changes.ts'

const file = new URL('../../../../contract/partner/v1.openapi.json', import.meta.url)

// biome-ignore lint/suspicious/noExplicitAny: edits reach anywhere into a JSON document.
type Document = any

const released = (): Document => JSON.parse(readFileSync(file, 'utf8'))
const schema = (d: Document, name: string) => d.components.schemas[name]
const get = (d: Document, path: string) => d.paths[path].get
const parameter = (d: Document, path: string, name: string) =>
  get(d, path).parameters.find((one: { name?: string }) => one.name === name)
const without = (list: string[], value: string) => list.filter(one => one !== value)
const breaks = (edit: (d: Document) => void): string[] => {
  const next = released()
  edit(next)
  return breaksBetween(released(), next)
}

const refused: [what: string, edit: (d: Document) => void][] = [
  ['a field removed', d => delete schema(d, 'Location').properties.geo],
  ['a field added', d => (schema(d, 'Location').properties.mood = { type: 'string' })],
  [
    'a field renamed',
    d => {
      const { geo, ...rest } = schema(d, 'Location').properties
      schema(d, 'Location').properties = { ...rest, geography: geo }
    },
  ],
  ['a field removed whose name is a keyword elsewhere', d => delete schema(d, 'Review').properties.title],
  ['a field retyped', d => (schema(d, 'Review').properties.id.type = 'string')],
  ['a field made nullable', d => (schema(d, 'Location').properties.geo.type = ['string', 'null'])],
  ['an object made a list', d => (schema(d, 'Location').properties.status = { type: 'array', items: {} })],
  ['a format changed', d => (schema(d, 'Review').properties.publish_ts.format = 'date')],
  ['a 64-bit id made 32-bit', d => (schema(d, 'Location').properties.id.format = 'int32')],
  ['a field made optional', d => (schema(d, 'Location').required = without(schema(d, 'Location').required, 'names'))],
  ['a field made required', d => schema(d, 'Location').required.push('geo')],
  ['an enum value added', d => schema(d, 'Status').properties.value.enum.push('MOVED')],
  ['an enum value removed', d => schema(d, 'Status').properties.value.enum.pop()],
  ['an enum opened', d => delete schema(d, 'Status').properties.value.enum],
  ['an element retyped', d => (schema(d, 'OpeningHours').properties.formatted.items.type = 'integer')],
  ['a list that may be empty', d => (schema(d, 'Location').properties.names.minItems = 0)],
  ['a bound of an answer moved', d => (schema(d, 'Review').properties.rating.maximum = 10)],
  ['an object opened', d => delete schema(d, 'Location').additionalProperties],
  [
    'a reference that leads elsewhere',
    d => (schema(d, 'Location').properties.status.$ref = '#/components/schemas/Address'),
  ],
  ['a shared part changed', d => (schema(d, 'Pagination').properties.page.type = 'string')],
  [
    'the envelope changed',
    d => delete get(d, '/locations').responses[200].content['application/json'].schema.properties.missing_ids,
  ],
  ['an error member removed', d => delete schema(d, 'Problem').properties.message],
  ['an error member added', d => (schema(d, 'Problem').properties.code = { type: 'string' })],
  ['an endpoint removed', d => delete d.paths['/locations/nearby']],
  [
    'an endpoint moved',
    d => {
      d.paths['/places/{id}'] = d.paths['/locations/{id}']
      delete d.paths['/locations/{id}']
    },
  ],
  ['an operationId changed', d => (get(d, '/locations/{id}').operationId = 'location')],
  ['a path parameter renamed', d => (parameter(d, '/locations/{id}', 'id').name = 'location_id')],
  ['a parameter removed', d => get(d, '/locations/search').parameters.shift()],
  ['a parameter renamed', d => (parameter(d, '/locations/search', 'geo_name').name = 'place')],
  ['a parameter made required', d => (parameter(d, '/locations/search', 'country_code').required = true)],
  [
    'a required parameter added',
    d => get(d, '/locations/{id}').parameters.push({ name: 'unit', in: 'query', required: true, schema: {} }),
  ],
  ['a parameter retyped', d => (parameter(d, '/locations/search', 'page').schema.type = 'string')],
  ['a greatest value lowered', d => (parameter(d, '/locations/{id}/reviews', 'size').schema.maximum = 50)],
  ['a least value raised', d => (parameter(d, '/locations/search', 'min_rating').schema.minimum = 2)],
  ['a length shortened', d => (parameter(d, '/locations/search', 'query').schema.maxLength = 100)],
  ['a bound added', d => (parameter(d, '/locations/search', 'page').schema.maximum = 500)],
  ['fewer ids at once', d => (parameter(d, '/locations', 'ids').schema.maxItems = 20)],
  ['a word of a parameter removed', d => parameter(d, '/locations/search', 'search_type').schema.enum.pop()],
  ['a word of a parameter added', d => parameter(d, '/locations/search', 'search_type').schema.enum.push('FUZZY')],
  ['a word of a list removed', d => parameter(d, '/locations/search', 'category').schema.items.enum.pop()],
  ['a pattern changed', d => (parameter(d, '/locations/search', 'country_code').schema.pattern = '^[A-Z]{2}$')],
  ['a pattern added', d => (parameter(d, '/locations/search', 'geo_name').schema.pattern = '^\\w+$')],
  ['a default changed', d => (parameter(d, '/locations/nearby', 'unit').schema.default = 'KM')],
  ['a list style changed', d => (parameter(d, '/locations', 'ids').explode = true)],
  ['an alias removed', d => (parameter(d, '/locations/search', 'size')['x-aliases'] = [])],
  ['an answer removed', d => delete get(d, '/locations/{id}').responses[304]],
  ['an error removed', d => delete get(d, '/locations/{id}').responses[404]],
  ['a further success', d => (get(d, '/locations/{id}').responses[206] = { description: '' })],
  [
    'a media type changed',
    d => {
      const { content } = get(d, '/locations/{id}').responses[200]
      content['application/vnd.places+json'] = content['application/json']
      delete content['application/json']
    },
  ],
  ['a header removed', d => delete get(d, '/locations/{id}').responses[200].headers.ETag],
  ['a header retyped', d => (d.components.headers['X-Billed-Units'].schema = { type: 'integer' })],
  ['a way to authenticate removed', d => delete d.components.securitySchemes.Bearer],
  ['another header for the key', d => (d.components.securitySchemes.ApiKey.name = 'Api-Key')],
]

const allowed: [what: string, edit: (d: Document) => void][] = [
  ['nothing', () => {}],
  [
    'an optional parameter',
    d => get(d, '/locations/{id}').parameters.push({ name: 'unit', in: 'query', required: false, schema: {} }),
  ],
  ['a further endpoint', d => (d.paths['/regions'] = d.paths['/locations'])],
  ['other words', d => (schema(d, 'Location').properties.geo.description = 'Where it is.')],
  ['another example', d => (get(d, '/locations/{id}').responses[200].content['application/json'].example = {})],
  ['a deprecated endpoint (R-18)', d => (get(d, '/locations/{id}').deprecated = true)],
  ['a greatest value raised', d => (parameter(d, '/locations/search', 'size').schema.maximum = 50)],
  ['a bound dropped', d => delete parameter(d, '/locations/search', 'query').schema.maxLength],
  ['a parameter made optional', d => (parameter(d, '/locations/search', 'query').required = false)],
  ['a further alias', d => parameter(d, '/locations/search', 'size')['x-aliases'].push('per_page')],
  ['a further error', d => (get(d, '/locations/{id}').responses[451] = { description: '' })],
  ['another address', d => (d.servers = [{ url: 'https://elsewhere.example' }])],
  [
    'a part under another name',
    d => {
      d.components.schemas.State = schema(d, 'Status')
      schema(d, 'Location').properties.status.$ref = '#/components/schemas/State'
    },
  ],
]

describe('the frozen contract (R-17, SPEC §9.2)', () => {
  test.each(refused)('refuses %s', (_what, edit) => expect(breaks(edit)).not.toEqual([]))
  test.each(allowed)('takes %s', (_what, edit) => expect(breaks(edit)).toEqual([]))
})
