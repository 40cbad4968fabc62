/** Partners do not have the specification and the rulings: no served text may cite them. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../world.ts'

const citation = /.{0,40}(?:\bSPEC\b|\bR-\d{2}\b|\brulings?\b).{0,40}/g
const folder = (path: string) => new URL(`../../../../${path}/`, import.meta.url)
const list = (path: string, suffix: string) => readdirSync(folder(path)).filter(name => name.endsWith(suffix))

let world: World
beforeAll(async () => {
  world = await startWorld({}, 'empty')
})
afterAll(() => world.close())

const pages = [
  ...[
    '/',
    '/docs',
    '/docs/guide',
    '/docs/feeds',
    '/docs/versions',
    '/docs/errors',
    '/docs/limits',
    '/docs/webhooks',
    '/docs/licences',
    '/docs/search.json',
    '/openapi/feeds.json',
    '/readyz',
  ],
  ...list('contract/partner', '.openapi.json').map(name => `/openapi/${name.replace('.openapi', '')}`),
  ...list('contract/partner', '.md').map(name => `/changelog/${name.slice('CHANGELOG-'.length, -'.md'.length)}`),
  ...list('contract/feeds', '.schema.json').map(name => `/feeds/schemas/${name}`),
  ...['periplus.css', ...list('packages/server/assets', '').filter(name => name.includes('.'))].map(
    name => `/assets/${name}`,
  ),
]

test.each(pages)('%s', async path => {
  const { status, text } = await world.get(path, { key: null })
  expect([status, text.match(citation) ?? []]).toEqual([200, []])
})

describe('texts of responses in the source', () => {
  // The settings and the admin interface are for operators, who have both documents.
  const sources = globSync('{access,domain,feeds,http,limits,search,usage,usecases/partner,versions}/**/*.ts', {
    cwd: folder('packages/server/src'),
  }).filter(name => !name.endsWith('.test.ts') && !name.startsWith('http/admin/'))

  test('cite neither', () => {
    const cited = sources.flatMap(name => {
      const code = readFileSync(new URL(name, folder('packages/server/src')), 'utf8')
      const withoutComments = code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/ .*$/gm, '')
      return withoutComments.match(citation) ?? []
    })
    expect(sources.length).toBeGreaterThan(200)
    expect(cited).toEqual([])
  })
})
