import { describe, expect, test } from 'vitest'
import { allDocuments, recordsDocument } from './answers.ts'
import { findDocumentErrors } from './openapi-rules.ts'

// biome-ignore lint/suspicious/noExplicitAny: edits change arbitrary parts of a JSON document.
type Document = any

const documents = Object.entries({ ...allDocuments, v0: recordsDocument }) as [string, Document][]

test.each(documents)('%s obeys the rules', (_name, document) => expect(findDocumentErrors(document)).toEqual([]))

const get = (d: Document, path: string) => d.paths[path].get
const parameter = (d: Document, path: string, name: string) =>
  get(d, path).parameters.find((one: { name?: string }) => one.name === name)

const mistakes: [what: string, edit: (d: Document) => void, error: RegExp][] = [
  [
    'an invalid default',
    d => (parameter(d, '/recommendations/search', 'exclude_location_ids').schema.default = []),
    /the default \[\] is not valid/,
  ],
  [
    'an invalid default behind a reference',
    d => (parameter(d, '/locations/nearby', 'unit').schema.default = 'FT'),
    /"FT"/,
  ],
  ['an invalid example of a parameter', d => (parameter(d, '/locations', 'ids').example = ['x']), /example \["x"\]/],
  [
    'an invalid example of a body',
    d => (get(d, '/locations/{id}').responses[200].content['application/json'].example.data.id = 'x'),
    /the example/,
  ],
  ['an invalid example of a header', d => (d.components.headers.Deprecation.example = 'x'), /the example "x"/],
  ['a reference to nothing', d => delete d.components.schemas.Pagination, /Pagination does not exist/],
  ['a repeated operationId', d => (get(d, '/locations').operationId = 'getLocation'), /getLocation is not unique/],
  [
    'a path parameter that is not declared',
    d => get(d, '/locations/{id}').parameters.shift(),
    /path parameter id is not declared/,
  ],
  [
    'a path parameter that the path lacks',
    d => get(d, '/locations').parameters.push({ name: 'id', in: 'path', required: true, schema: {} }),
    /the path has no parameter id/,
  ],
  [
    'a repeated parameter',
    d => get(d, '/locations').parameters.push(parameter(d, '/locations', 'ids')),
    /query parameter ids is repeated/,
  ],
  ['an unknown required member', d => d.components.schemas.Review.required.push('mood'), /required member mood/],
  ['an unknown security scheme', d => d.security.push({ Basic: [] }), /security scheme Basic/],
]

describe('the rules', () => {
  test.each(mistakes)('report %s', (_what, edit, error) => {
    const document = structuredClone(allDocuments.v1) as Document
    edit(document)
    expect(findDocumentErrors(document).join('\n')).toMatch(error)
  })
})
