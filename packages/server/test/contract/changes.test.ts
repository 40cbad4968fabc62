import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { breakingChanges } from './changes.ts'

const file = new URL('../../../../contract/partner/v1.openapi.json', import.meta.url)

// biome-ignore lint/suspicious/noExplicitAny: edits change arbitrary parts of a JSON document.
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
  return breakingChanges(released(), next)
}

const breaking: [what: string, edit: (d: Document) => void][] = [
  ['a field removed', d => delete schema(d, 'Location').properties.geo],
  ['a field added', d => (schema(d, 'Location').properties.mood = { type: 'string' })],
  [
    'a field renamed',
    d => {
      const { geo, ...rest } = schema(d, 'Location').properties
      schema(d, 'Location').properties = { ...rest, geography: geo }
    },
  ],
  ['a field removed whose name is also a schema keyword', d => delete schema(d, 'Review').properties.title],
  ['a field retyped', d => (schema(d, 'Review').properties.id.type = 'string')],
  ['a field made nullable', d => (schema(d, 'Location').properties.geo.type = ['string', 'null'])],
  ['an object made a list', d => (schema(d, 'Location').properties.status = { type: 'array', items: {} })],
  ['a format changed', d => (schema(d, 'Review').properties.publish_ts.format = 'date')],
  ['a 64-bit id made 32-bit', d => (schema(d, 'Location').properties.id.format = 'int32')],
  ['a field made optional', d => (schema(d, 'Location').required = without(schema(d, 'Location').required, 'names'))],
  ['a field made required', d => schema(d, 'Location').required.push('geo')],
  ['an enum value added', d => schema(d, 'StatusValue').enum.push('MOVED')],
  ['an enum value removed', d => schema(d, 'StatusValue').enum.pop()],
  ['an enum opened', d => delete schema(d, 'StatusValue').enum],
  ['an element retyped', d => (schema(d, 'OpeningHours').properties.formatted.items.type = 'integer')],
  ['a list allowed to be empty', d => (schema(d, 'Location').properties.names.minItems = 0)],
  ['a bound of a response changed', d => (schema(d, 'Review').properties.rating.maximum = 10)],
  ['an object closed', d => (schema(d, 'Location').additionalProperties = false)],
  [
    'a reference to another schema',
    d => (schema(d, 'Location').properties.status.$ref = '#/components/schemas/Address'),
  ],
  ['a shared schema changed', d => (schema(d, 'Pagination').properties.page.type = 'string')],
  ['the envelope changed', d => delete schema(d, 'LocationsResponse').properties.missing_ids],
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
  ['a maximum lowered', d => (parameter(d, '/locations/{id}/reviews', 'size').schema.maximum = 50)],
  ['a minimum raised', d => (parameter(d, '/locations/search', 'min_rating').schema.minimum = 2)],
  ['a maximum length lowered', d => (parameter(d, '/locations/search', 'query').schema.maxLength = 100)],
  ['a maximum lowered where it was large', d => (parameter(d, '/locations/search', 'page').schema.maximum = 500)],
  ['a maximum added', d => (parameter(d, '/locations/search', 'country_code').schema.maxLength = 1)],
  ['a maximum number of ids lowered', d => (parameter(d, '/locations', 'ids').schema.maxItems = 20)],
  ['an enum value of a parameter removed', d => schema(d, 'SearchType').enum.pop()],
  ['an enum value of a parameter added', d => schema(d, 'SearchType').enum.push('FUZZY')],
  ['an enum value of a list parameter removed', d => schema(d, 'TopLevelCategory').enum.pop()],
  ['a pattern changed', d => (parameter(d, '/locations/search', 'country_code').schema.pattern = '^[A-Z]{2}$')],
  ['a pattern added', d => (parameter(d, '/locations/{id}', 'id').schema.pattern = '^\\w+$')],
  ['a default changed', d => (parameter(d, '/locations/nearby', 'unit').schema.default = 'KM')],
  ['a list style changed', d => (parameter(d, '/locations', 'ids').explode = true)],
  ['an alias removed', d => (parameter(d, '/locations/search', 'size')['x-aliases'] = [])],
  ['a response removed', d => delete get(d, '/locations/{id}').responses[304]],
  ['an error response removed', d => delete get(d, '/locations/{id}').responses[404]],
  ['a success response added', d => (get(d, '/locations/{id}').responses[206] = { description: '' })],
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
  ['a security scheme removed', d => delete d.components.securitySchemes.Bearer],
  ['the header of the key renamed', d => (d.components.securitySchemes.ApiKey.name = 'Api-Key')],
]

const compatible: [what: string, edit: (d: Document) => void][] = [
  ['no change', () => {}],
  [
    'an optional parameter added',
    d => get(d, '/locations/{id}').parameters.push({ name: 'unit', in: 'query', required: false, schema: {} }),
  ],
  ['an endpoint added', d => (d.paths['/regions'] = d.paths['/locations'])],
  ['a description changed', d => (schema(d, 'Location').properties.geo.description = 'Where it is.')],
  ['an example changed', d => (get(d, '/locations/{id}').responses[200].content['application/json'].example = {})],
  ['an endpoint deprecated (R-18)', d => (get(d, '/locations/{id}').deprecated = true)],
  ['a maximum raised', d => (parameter(d, '/locations/search', 'size').schema.maximum = 50)],
  ['a maximum length removed', d => delete parameter(d, '/locations/search', 'query').schema.maxLength],
  ['a parameter made optional', d => (parameter(d, '/locations/search', 'query').required = false)],
  ['an alias added', d => parameter(d, '/locations/search', 'size')['x-aliases'].push('per_page')],
  ['an error response added', d => (get(d, '/locations/{id}').responses[451] = { description: '' })],
  [
    'a response header added',
    d => (get(d, '/locations/{id}').responses[200].headers['X-Mood'] = { schema: { type: 'string' } }),
  ],
  ['the server address changed', d => (d.servers = [{ url: 'https://elsewhere.example' }])],
  [
    'a schema renamed',
    d => {
      d.components.schemas.State = schema(d, 'Status')
      schema(d, 'Location').properties.status.$ref = '#/components/schemas/State'
    },
  ],
]

describe('the frozen contract (R-17, SPEC §9.2)', () => {
  test.each(breaking)('reports %s', (_what, edit) => expect(breaks(edit)).not.toEqual([]))
  test.each(compatible)('accepts %s', (_what, edit) => expect(breaks(edit)).toEqual([]))
})
