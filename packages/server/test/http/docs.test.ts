import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partnerEventTypes } from '../../src/domain/event.ts'
import { faults } from '../../src/domain/fault.ts'
import { adminErrorDocs } from '../../src/management/error-docs.ts'
import { hasChromium, launchChromium } from '../browser/launch.ts'
import { periplus } from '../cli.ts'
import { allDocuments, recordsDocument } from '../contract/answers.ts'
import { startWorld, type World } from '../world.ts'

let world: World
let promoted: World
beforeAll(async () => {
  world = await startWorld({ 'server.publicUrl': 'https://places.example' })
  promoted = await startWorld(
    {
      'server.basePath': '/api',
      versions: { 2: { status: 'stable' } },
      'docs.contact': { name: 'Places team', email: 'places@example.org', url: 'https://places.example/contact' },
      'docs.terms': 'https://places.example/terms',
      'endpoints.listReviews': { deprecated: '2026-01-01', sunset: '2099-01-01' },
    },
    'empty',
  )
})
afterAll(async () => {
  await world.close()
  await promoted.close()
})

const withoutKey = { key: null }

describe('documents (R-15)', () => {
  test.each([
    ['/openapi/v1.json', 'v1'],
    ['/openapi/1.json', 'v1'],
    ['/openapi/v2.json', 'v2'],
    ['/openapi/2.json', 'v2'],
    ['/openapi/beta.json', 'beta'],
    ['/openapi/feeds.json', 'feeds'],
    ['/openapi/v0.json', 'v0'],
    ['/openapi/0.json', 'v0'],
  ] as const)('%s is the committed document', async (path, name) => {
    const reply = await world.get(path, withoutKey)
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
    expect(reply.json()).toEqual(name === 'v0' ? recordsDocument : allDocuments[name])
  })
  test.each(['/openapi/v9.json', '/openapi/v1', '/openapi/__proto__.json', '/openapi/'])('%s is 404', async path =>
    expect((await world.get(path, withoutKey)).status).toBe(404),
  )
  test('beta is based on the promoted version (SPEC §9.3) and marks deprecated endpoints (R-18)', async () => {
    const reply = await promoted.get('/api/openapi/beta.json', withoutKey)
    const { paths, components } = reply.json() as {
      paths: Record<string, { get: { deprecated?: boolean } }>
      components: { schemas: Record<string, { properties: object }> }
    }
    expect(components.schemas.Review!.properties).toHaveProperty('rating_icon')
    expect(components.schemas.Location!.properties).toHaveProperty('last_updated_ts')
    expect(paths['/locations/{id}/reviews']!.get.deprecated).toBe(true)
    expect(paths['/locations/{id}']!.get.deprecated).toBeUndefined()
  })
  test('contact and terms are those of the operator, in every document', async () => {
    const contact = { name: 'Places team', email: 'places@example.org', url: 'https://places.example/contact' }
    for (const version of ['v0', 'v1', 'v2', 'beta', 'feeds']) {
      const { info } = (await promoted.get(`/api/openapi/${version}.json`, withoutKey)).json() as { info: object }
      expect([version, info]).toEqual([
        version,
        expect.objectContaining({ contact, termsOfService: 'https://places.example/terms' }),
      ])
      const plain = (await world.get(`/openapi/${version}.json`, withoutKey)).json() as { info: object }
      expect(Object.keys(plain.info)).toEqual(['title', 'version', 'description', 'license'])
    }
  })
  test('periplus openapi prints the documents', async () => {
    const env = { PERIPLUS_SERVER_PUBLIC_URL: 'https://places.example/' }
    expect((await periplus(['openapi'], { env })).json()).toEqual(allDocuments.v1)
    expect((await periplus(['openapi', '--version', 'v2'], { env })).json()).toEqual(allDocuments.v2)
    expect((await periplus(['openapi', '--version', '0'], { env })).json()).toEqual(recordsDocument)
    expect((await periplus(['openapi', '--feeds'], { env })).json()).toEqual(allDocuments.feeds)
    const listening = { PERIPLUS_SERVER_HOST: '::1', PERIPLUS_SERVER_BASE_PATH: '/api' }
    const local = (await periplus(['openapi'], { env: listening })).json()
    expect(local).toMatchObject({ servers: [{ url: 'http://[::1]:8080/api' }] })
    const wrong = await periplus(['openapi', '--version', '9'])
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('The versions with a document are 0, 1, 2, beta.'),
    ])
  })
})

describe('changelogs and guide', () => {
  test.each([
    ['/changelog/v1', 'String became Long'],
    ['/changelog/1', 'omitted instead of returned empty or null'],
    ['/changelog/v0', 'Keys whose feeds are pinned to version 0'],
    ['/changelog/v2', 'rating_icon'],
    ['/changelog/beta', 'last_updated_ts'],
    ['/docs/guide', 'Retry-After'],
    ['/docs/feeds', 'checksum_of_result'],
    ['/docs/webhooks', 'import { Webhook }'],
    ['/docs/limits', '10,000 units'],
    ['/docs/licences', 'Natural Earth'],
    ['/docs/versions', '<time datetime="2024-11-06T00:00:00.000Z"'],
  ])('%s', async (path, text) => {
    const reply = await world.get(path, withoutKey)
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(reply.text).toContain(text)
  })
  test('the versions page links the document and the changelog of each version', async () => {
    const { text } = await world.get('/docs/versions', withoutKey)
    for (const name of ['v0', 'v1', 'v2', 'beta']) {
      expect(text).toContain(`<a href="/changelog/${name}">Changes</a> · <a href="/openapi/${name}.json">OpenAPI</a>`)
      expect(text).toContain(`id="${name.replace('v', '')}"`)
    }
  })
  test('the versions page shows the differences between each version and the one before it, by field', async () => {
    const { text } = await world.get('/docs/versions', withoutKey)
    const differences = text.slice(text.indexOf('id="differences"')).replaceAll('<wbr>', '')
    const [beta, second, first] = ['beta', '2', '1'].map(name => differences.indexOf(`id="differences-${name}"`))
    expect([beta! > 0, second! > beta!, first! > second!]).toEqual([true, true, true])
    expect(differences.slice(beta, second)).toContain('<code>score</code>')
    expect(differences.slice(second, first)).toContain(
      '<code>rating_icon_url</code></th><td data-label="Version 1">URL',
    )
    expect(differences.slice(first)).toContain('data-label="Version 0">')
    expect(text).toContain('<span id="1">Version 1</span>')
  })
  test.each(['/changelog/v9', '/changelog/..%2F..%2Frulings', '/docs/nothing', '/docs/v9', '/docs/v0/getLocation'])(
    '%s is 404',
    async path => expect((await world.get(path, withoutKey)).status).toBe(404),
  )
  test('a changelog lists the differences by field: what changed in type, and what was added or removed', async () => {
    const rows = async (name: string) => {
      const { text } = await world.get(`/changelog/${name}`, withoutKey)
      const body = text.slice(text.indexOf('id="differences"')).replaceAll('<wbr>', '')
      return [...body.matchAll(/<tr><td[^>]*>([^<]*)<\/td><th[^>]*><code>([^<]*)<\/code><\/th>(.*?)<\/tr>/g)].map(
        ([, of, field, cells]) => [
          of,
          field,
          ...cells!
            .replaceAll(/<\/td>|<\/?span[^>]*>/g, '')
            .split(/<td[^>]*>/)
            .slice(1),
        ],
      )
    }
    const second = await rows('v2')
    expect(second).toContainEqual(['Review', 'rating_icon', 'absent', expect.stringMatching(/^object \{/)])
    expect(second).toContainEqual(['Review', 'rating_icon_url', 'URL', 'absent'])
    expect(second).toContainEqual([
      'Location',
      'price_level',
      expect.stringMatching(/^string: [A-Z_]+, .*MODERATE/),
      'object {id, display_name}',
    ])
    expect(second.filter(([, field]) => field!.startsWith('rating_icon.'))).toEqual([])
    const first = await rows('v1')
    expect(first).toContainEqual(['Location', 'status.value', 'string', 'string: OPEN, CLOSED, TEMPORARILY_CLOSED'])
    expect(first).toContainEqual(['Review', 'id', 'string', 'integer (64-bit)'])
    expect((await rows('beta')).map(([of, field]) => `${of} ${field}`)).toContain('Location last_updated_ts')
  })
  test('the feed of changes and the calendar have the deprecations and the ends of versions and endpoints', async () => {
    const feed = await promoted.get('/api/changelog.atom', withoutKey)
    expect([feed.status, feed.headers['content-type']]).toEqual([200, 'application/atom+xml'])
    const entries = feed.text.match(/<entry>[\s\S]*?<\/entry>/g) ?? []
    expect(entries[0]).toContain('<title>Version 2 is available</title>')
    const [, entry] = entries
    expect(entry).toContain(
      '<title>The endpoint listReviews is deprecated</title>\n<updated>2026-01-01T00:00:00.000Z</updated>',
    )
    expect(entry).toContain(`href="${promoted.url}/api/docs/versions#listReviews"`)
    const old = await world.get('/changelog.atom', withoutKey)
    expect([...old.text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
      'Changes of the API of Periplus',
      'Version 2 is available as a preview',
      'Version 0 is retired',
      'Version 0 is deprecated',
      'Version 1 is available',
    ])
    expect(old.text).toContain('/changelog/v2"/>')
    const calendar = await promoted.get('/api/docs/sunsets.ics', withoutKey)
    expect([calendar.status, calendar.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(calendar.text).toMatch(/SUMMARY:The endpoint listReviews is retired\r\n/)
    expect(calendar.text).toMatch(/DTSTART:20990101T000000Z\r\n/)
  })
  test('the guide of webhooks names every type that a partner can receive, with code that verifies', async () => {
    const { text } = await world.get('/docs/webhooks', withoutKey)
    for (const type of partnerEventTypes) expect([type, text.includes(`<code>${type}</code>`)]).toEqual([type, true])
    expect(text.match(/<figcaption>(\w+)<\/figcaption>/g)).toHaveLength(4)
  })
  test('every error has an entry with cause and remedy, for the partner API and the admin API', async () => {
    const { text } = await world.get('/docs/errors', withoutKey)
    const anchors = new Set([...text.matchAll(/ id="(\w+)"/g)].map(([, id]) => id!))
    for (const code of [...Object.keys(faults), ...adminErrorDocs.map(([code]) => code)])
      expect([code, anchors.has(code)]).toEqual([code, true])
    expect(new Set(text.match(/ id="\w+"/g)).size).toBe(text.match(/ id="\w+"/g)!.length)
  })
  test('the page of limits has the values of this installation', async () => {
    const { text } = await world.get('/docs/limits', withoutKey)
    expect(text).toContain('1 search per second, and 5 at once after a pause; 86,400 a day')
    expect(text).toContain('1 unit per place')
  })
  test('an operation with a body shows its fields, an example in all samples, and its cost', async () => {
    const { text } = await world.get('/docs/matchLocations', withoutKey)
    for (const part of [
      '<span class="method">POST</span>',
      'id="body"',
      'requests.post(',
      'strings.NewReader',
      'per record',
    ])
      expect([part, text.includes(part)]).toEqual([part, true])
    expect(text).toMatch(/<textarea [^>]*name="body"[^>]*>\[\n {2}\{\n {4}&quot;name&quot;: &quot;Museo del Alba&quot;/)
    expect((await world.get('/docs/matchLocation', withoutKey)).text).not.toContain('<textarea')
  })
  test('the changelog of version 1 has the rows of SPEC §9.5', () => {
    const changelog = readFileSync(new URL('../../../../contract/partner/CHANGELOG-v1.md', import.meta.url), 'utf8')
    const rows = changelog.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| Area'))
    expect(rows).toHaveLength(8)
  })
})

describe('the pages under a base path', () => {
  test.each(['/docs', '/docs/', '/docs/v1/getLocation', '/docs/guide', '/docs/versions', '/changelog/v1'])(
    '%s links to existing files',
    async path => {
      const { text } = await promoted.get(`/api${path}`, withoutKey)
      const files = [...text.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|svg))"/g)].map(match => match[1]!)
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) expect([file, (await promoted.get(file, withoutKey)).status]).toEqual([file, 200])
    },
  )
})

describe.skipIf(!hasChromium)('the reference in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  test('shows the latest stable version, offers the others, calls with the entered key, loads nothing external', async () => {
    const page = await browser.newPage()
    const browserErrors: string[] = []
    const hosts = new Set<string>()
    page.on('console', message => message.type() === 'error' && browserErrors.push(message.text()))
    page.on('pageerror', error => browserErrors.push(String(error)))
    page.on('request', request => request.url().startsWith('data:') || hosts.add(new URL(request.url()).host))
    await page.goto(`${promoted.url}/api/docs`)
    await page.click('.menu summary')
    expect(await page.$$eval('.menu a', links => links.map(link => link.textContent))).toEqual([
      'Version 2 (latest)',
      'Version beta (preview)',
      'Version 1 (stable)',
      'Compare versions',
    ])
    await page.fill('.docs-search input', 'several')
    // The form of the next page does nothing until its script is loaded.
    await Promise.all([page.waitForEvent('load'), page.press('.docs-search input', 'Enter')])
    expect(await page.textContent('h1')).toBe('Several locations')
    await page.click('#try summary')
    await page.fill('#field-key', promoted.key)
    const responded = page.waitForResponse(response => response.url().includes('/locations?'))
    await page.click('.call button')
    const { url, status } = { url: (await responded).url(), status: (await responded).status() }
    expect([url, status]).toEqual([`${promoted.url}/api/locations?ids=1,2,3&version=2`, 200])
    await page.waitForSelector('.call-result .badge')
    expect(await page.textContent('.call-result')).toContain('"missing_ids"')
    expect(browserErrors).toEqual([])
    await page.goto(`${promoted.url}/api/docs/matchLocations`)
    await page.click('#try summary')
    await page.fill('#field-body', '[{"name":"Prado","city":"Madrid"}]')
    const [sent] = await Promise.all([page.waitForRequest(/match/), page.click('.call button')])
    expect([sent.method(), sent.postData()]).toEqual(['POST', '[{"name":"Prado","city":"Madrid"}]'])
    await page.waitForSelector('.call-result .badge')
    expect(await page.textContent('.call-result')).toContain(`-d '[{"name":"Prado","city":"Madrid"}]'`)
    expect([...hosts]).toEqual([new URL(promoted.url).host])
  })
})
