import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demo } from '../cli.ts'
import { send } from '../http-client.ts'
import { configFor, importRows, makeKey, scratch, startWorld } from '../world.ts'

const executablePath = '/usr/bin/chromium'
const hasChromium = existsSync(executablePath)
if (!hasChromium) console.warn(`The landing page is not looked at in a browser: there is no ${executablePath}.`)

const places = [
  {
    id: 7,
    source: 'atlas',
    source_id: 'prado',
    name: 'Museo Nacional del Prado',
    names: { es: 'Museo Nacional del Prado', en: 'Prado Museum', ja: 'プラド美術館' },
    category: 'museum',
    lat: 40.41381,
    lon: -3.692524,
    country: 'ES',
    city: 'Madrid',
    address: 'Paseo del Prado, s/n',
    rating: 4.6,
    review_count: 1200,
    status: 'OPEN',
  },
  {
    id: 9007199254740993n,
    source: 'atlas',
    source_id: 'cafe',
    name: 'Café Prado',
    lat: 40.42,
    lon: -3.7,
    status: 'CLOSED',
  },
  { id: 9, source: 'atlas', source_id: 'script', name: 'Prado <b onclick="x()">bold</b>', lat: 41, lon: -3 },
]

const folder = scratch()
const config = configFor(folder.path)
let served: Awaited<ReturnType<typeof demo>>
beforeAll(async () => {
  await importRows(config, 'location', places)
  const { secret } = await makeKey(config, { agreement: {} })
  // A data folder of an earlier release's demo has its keys, but not the landing page's key.
  writeFileSync(join(folder.path, 'demo-keys.json'), JSON.stringify({ discover: secret }))
  served = await demo(folder.path)
})
afterAll(async () => {
  await served.stop()
  folder.remove()
})

describe('the demo (rulings: Commands)', () => {
  test('keeps its keys and creates a separate key for the landing page', async () => {
    const file = join(folder.path, 'demo-landing-key.json')
    const { key } = JSON.parse(readFileSync(file, 'utf8')) as { key: string }
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await send(served.url, '/')).text).toContain(key)
    const reply = await send(served.url, '/locations/search?query=prado', { headers: { 'X-API-Key': key } })
    expect(reply.headers).toMatchObject({ 'ratelimit-policy': '"search";q=50;w=1' })
    // A token comes back every 20 ms, so a slow machine reports 50 again.
    expect(reply.headers.ratelimit).toMatch(/^"search";r=(49;t=1|50)$/)
  })

  test('logs requests alone, so that nothing precedes its text on a terminal', () => {
    const lines = served
      .log()
      .split('\n')
      .filter(line => line !== '')
    expect(lines.filter(line => (JSON.parse(line) as { msg: string }).msg !== 'request')).toEqual([])
  })

  test('serves only the listed assets', async () => {
    for (const [name, type] of [
      ['landing.js', 'text/javascript; charset=utf-8'],
      ['landing-place.js', 'text/javascript; charset=utf-8'],
      ['landing.css', 'text/css; charset=utf-8'],
      ['periplus.css', 'text/css; charset=utf-8'],
      ['mark.svg', 'image/svg+xml'],
    ])
      expect((await send(served.url, `/assets/${name}`)).headers['content-type']).toBe(type)
    for (const path of ['nothing.js', '../package.json', '..%2fpackage.json', ''])
      expect((await send(served.url, `/assets/${path}`)).status).toBe(404)
  })
})

test('outside a demo, the page shows no key and runs no script', async () => {
  const world = await startWorld({ 'server.basePath': '/places' }, 'empty')
  try {
    const { text, headers } = await world.get('/places', { key: null })
    expect(text).not.toMatch(/<script|peri_live/)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(match => new URL(match[1]!, `${world.url}/places`))
    expect(links.length).toBeGreaterThan(4)
    for (const link of links) expect((await world.get(link.pathname, { key: null })).status).toBe(200)
  } finally {
    await world.close()
  }
})

describe.skipIf(!hasChromium)('in a browser', () => {
  let browser: Browser
  let page: Page
  const requested: string[] = []
  const browserErrors: string[] = []
  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage']
    browser = await chromium.launch({ executablePath, args })
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } })
    page.on('request', request => requested.push(request.url()))
    page.on('console', message => message.type() === 'error' && browserErrors.push(message.text()))
    page.on('pageerror', error => browserErrors.push(String(error)))
    await page.goto(served.url)
  })
  afterAll(() => browser.close())

  const results = () => page.getByRole('listbox', { name: 'Places found' }).getByRole('option')
  const field = () => page.getByRole('combobox', { name: 'Search places' })
  const active = () => page.locator('[role=option][aria-selected=true]')
  const searches = () => requested.filter(url => url.includes('/locations/search'))

  test('searches while typing, with one request per pause', async () => {
    await field().pressSequentially('museo prdo', { delay: 20 })
    await results().first().waitFor()
    expect(await results().first().textContent()).toMatch(
      /Museo Nacional del Prado.*open.*Madrid.*4\.6 \(1,200\)1\.0 km/,
    )
    expect(await field().getAttribute('aria-expanded')).toBe('true')
    expect(searches()).toHaveLength(1)
    expect(await page.locator('#summary').textContent()).toMatch(/^\d+ places? in \d+ ms$/)
    const curl = await page.locator('#curl').textContent()
    expect(curl).toBe(`curl -H 'X-API-Key: ${/peri_live_\w+/.exec(curl!)![0]}' '${searches()[0]}'`)
    expect(await page.locator('#limits').textContent()).toMatch(/searches(49|50) of 50 left/)
  })

  test('supports the arrow keys, Enter and Escape', async () => {
    await field().fill('prado')
    await expect.poll(() => results().count()).toBe(3)
    for (const [key, index] of [
      ['ArrowDown', 0],
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['ArrowUp', 2],
      ['ArrowDown', 0],
    ] as const) {
      await field().press(key)
      expect(await field().getAttribute('aria-activedescendant')).toBe(`result-${index}`)
      expect(await active().getAttribute('id')).toBe(`result-${index}`)
    }
    const details = page.getByRole('article', { name: 'Selected place' })
    await field().press('Enter')
    await details.waitFor()
    expect(await details.textContent()).toContain('プラド美術館')
    expect(await field().evaluate(element => element === element.ownerDocument.activeElement)).toBe(true)
    await page.screenshot({ path: join(folder.path, 'landing.png'), fullPage: true })
    expect(statSync(join(folder.path, 'landing.png')).size).toBeGreaterThan(20_000)
    await field().press('Escape')
    expect(await details.isHidden()).toBe(true)
    await field().press('Escape')
    expect(await field().getAttribute('aria-expanded')).toBe('false')
    await field().press('Escape')
    expect(await field().inputValue()).toBe('')
  })

  test('shows a clicked place, even with an id beyond 2^53, and escapes markup in names', async () => {
    await field().fill('cafe prado')
    await results().filter({ hasText: 'Café Prado' }).click()
    await page.getByText('GET /locations/9007199254740993').waitFor()
    await field().fill('prado bold')
    await expect.poll(() => results().first().textContent()).toContain('<b onclick="x()">bold</b>')
  })

  test('causes no browser error and no request to another host', () => {
    expect(browserErrors).toEqual([])
    expect(requested.filter(url => !url.startsWith(served.url))).toEqual([])
  })

  test('after twelve concurrent searches, serves a search after Retry-After', async () => {
    await page.getByRole('button', { name: 'Send twelve searches' }).click()
    await page.getByText('the search after Retry-After was served').waitFor({ timeout: 20_000 })
    const statuses = await page.locator('#calls li').allTextContents()
    expect(statuses).toHaveLength(13)
    expect(statuses.filter(status => status === '429').length).toBeGreaterThan(5)
    expect(statuses.at(-1)).toBe('200')
  })
})
