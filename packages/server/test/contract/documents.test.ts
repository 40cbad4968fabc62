import { expect, test } from 'vitest'
import { fault, faults } from '../../src/domain/fault.ts'
import { accountRoutes } from '../../src/http/account/routes.ts'
import { routes } from '../../src/http/partner/routes.ts'
import { toProblem } from '../../src/http/wire/http-response.ts'
import { allDocuments, faultsBy } from './answers.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents, read member by member.
const all = Object.entries(allDocuments) as [keyof typeof allDocuments, any][]

test.each(all)(
  '%s lists exactly its endpoints; feeds have separate versions and a separate document',
  (name, document) => {
    const paths = [
      ...routes.filter(({ permission }) => (permission === 'feeds') === (name === 'feeds')),
      ...(name === 'feeds' ? [] : accountRoutes),
    ].map(({ path }) => path.replace(/:(\w+)/g, '{$1}'))
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort())
  },
)

test.each(all)('%s: examples match their schemas', (name, document) => {
  for (const path of Object.keys(document.paths)) {
    const media = ['paths', path, 'get', 'responses', '200', 'content', 'application/json']
    const { example, isFile = false } = document.paths[path].get.responses[200].content['application/json'] ?? {
      isFile: true,
    }
    expect(isFile).toBe(path.includes('/files/'))
    if (!isFile) expect([path, faultsBy(name, [...media, 'schema'], example)]).toEqual([path, []])
  }
  for (const { content } of Object.values<{ content?: object }>(document.components.responses)) {
    const { examples = {} } =
      (content as Record<string, { examples?: Record<string, { value: unknown }> }> | undefined)?.[
        'application/problem+json'
      ] ?? {}
    for (const { value } of Object.values(examples))
      expect(faultsBy(name, ['components', 'schemas', 'Problem'], value)).toEqual([])
  }
})

test.each(all)('%s: an error has exactly the documented members (R-13)', (_name, document) => {
  const members = (path: string, more: Parameters<typeof fault>[1]) =>
    JSON.parse(
      toProblem(fault('parameters_invalid', more), { id: 'a', path, publicUrl: 'https://a.example' }).body.toString(),
    )
  const fieldErrors = [{ field: 'page', message: 'page is not valid.', rejectedValue: 'x' }]
  const full = members('/locations', { detail: 'One error.', fieldErrors, violatedPolicies: ['rate'] })
  const { properties, required } = document.components.schemas.Problem
  expect(Object.keys(properties).sort()).toEqual(Object.keys(full).sort())
  expect([...required].sort()).toEqual(Object.keys(members('', {})).sort())
  expect(Object.keys(document.components.schemas.FieldError.properties).sort()).toEqual(
    Object.keys(full.field_errors[0]).sort(),
  )
})

test.each(all)('%s: every error code has an example (R-13)', (name, document) => {
  const responses = Object.values<{ content?: Record<string, { examples: object }> }>(document.components.responses)
  const shown = responses.flatMap(({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {}))
  const missing = Object.keys(faults).filter(code => !shown.includes(code))
  const absent = {
    feeds: [
      'account_unavailable',
      'changes_gone',
      'index_building',
      'location_unknown',
      'media_type_unsupported',
      'method_not_allowed',
      'path_unknown',
      'request_unknown',
      'search_unavailable',
    ],
    others: ['method_not_allowed', 'path_unknown', 'range_unsatisfiable'],
  }
  const ofFeeds = name === 'feeds' ? /^$/ : /^(feed|snapshot|deltas)_/
  expect(missing.filter(code => !ofFeeds.test(code)).sort()).toEqual(name === 'feeds' ? absent.feeds : absent.others)
})
