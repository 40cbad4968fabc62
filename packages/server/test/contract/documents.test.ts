import { expect, test } from 'vitest'
import { faults } from '../../src/domain/fault.ts'
import { routes } from '../../src/http/partner/routes.ts'
import { allDocuments, faultsBy } from './answers.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents, member by member.
const all = Object.entries(allDocuments) as [keyof typeof allDocuments, any][]

test.each(all)('%s: every endpoint; feeds, which have versions of their own, in a document apart', (name, document) => {
  const paths = routes
    .filter(({ permission }) => (permission === 'feeds') === (name === 'feeds'))
    .map(({ path }) => path.replace(/:(\w+)/g, '{$1}'))
  expect(Object.keys(document.paths).sort()).toEqual(paths.sort())
})

test.each(all)('%s: examples are what their schemas say', (name, document) => {
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

test.each(all)('%s: every way to fail has its example (R-13)', (name, document) => {
  const responses = Object.values<{ content?: Record<string, { examples: object }> }>(document.components.responses)
  const shown = responses.flatMap(({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {}))
  const missing = Object.keys(faults).filter(code => !shown.includes(code))
  const absent = {
    feeds: ['index_building', 'location_unknown', 'method_not_allowed', 'path_unknown'],
    others: ['method_not_allowed', 'path_unknown', 'range_unsatisfiable'],
  }
  const ofFeeds = name === 'feeds' ? /^$/ : /^(feed|snapshot|deltas)_/
  expect(missing.filter(code => !ofFeeds.test(code)).sort()).toEqual(name === 'feeds' ? absent.feeds : absent.others)
})
