/**
 * Parts of pages that need a script or a popover, in Chromium: live figures, charts, webhooks, and the sheet of a place
 * on phones.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../http-client.ts'
import { pageClient } from '../management/page-client.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { startWorld, type World } from '../world.ts'
import { createKeyboard } from './keyboard.ts'
import { hasChromium, launchChromium } from './launch.ts'
import { Person } from './person.ts'

const places = [
  { id: 1, name: 'Museo del Prado', category: 'museum', lat: 40.41, lon: -3.69 },
  { id: 2, name: 'Museo Reina Sofía', category: 'museum', lat: 40.4, lon: -3.69 },
  { id: 3, name: 'Museo Picasso', category: 'museum', lat: 41.38, lon: 2.18 },
].map(place => ({ ...place, source: 'atlas', source_id: String(place.id), country: 'ES' }))
const cities = [
  { ...places[0]!, id: 4, name: 'Madrid', category: 'geo:city', lat: 40.43, lon: -3.7, source_id: '4' },
  { ...places[0]!, id: 5, name: 'Girona', category: 'geo:city', lat: 41.98, lon: 2.82, source_id: '5' },
]
/** Interval of live pages, in milliseconds. */
const liveMs = 5000

describe.skipIf(!hasChromium)('a page', () => {
  let receiver: Receiver
  let world: World
  let browser: Browser
  let client: ReturnType<typeof pageClient>
  let user: Person
  let page: Page
  beforeAll(async () => {
    receiver = await startReceiver()
    world = await startWorld({ 'webhooks.allowPrivate': true, 'site.places': true }, [...places, ...cities])
    client = pageClient(world)
    const cookie = client.cookieOf(await client.open('pia@example.org', '--role', 'admin', '--partner', 'tester'))
    browser = await launchChromium()
    const context = await browser.newContext({ baseURL: world.url, reducedMotion: 'reduce' })
    const [name, value] = cookie.split('=') as [string, string]
    await context.addCookies([{ name, value, url: world.url }])
    context.setDefaultTimeout(inject('limitMs') / 4)
    page = await context.newPage()
    user = new Person(context, page, await createKeyboard(page))
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([world.close(), receiver.close()])
  })

  const call = (path: string) => send(world.url, path, { headers: { 'X-API-Key': world.key } })
  const isFocused = (selector: string) => page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)
  const press = (key: string) => page.keyboard.press(key)

  test('adds a webhook with a secret that is shown once, tests it and sends an event again', async () => {
    await user.go('/portal/tester/webhooks/new')
    await user.fill('URL', receiver.url)
    await user.use(page.getByRole('checkbox', { name: 'key.created' }))
    await user.press('Add webhook')
    expect(await user.code()).toMatch(/^whsec_/)
    await user.follow('I have stored it')
    expect(await user.text()).not.toContain('whsec_')
    const path = page.url()
    await user.press('Send a test')
    expect(await user.text()).toContain('The receiver accepted the test: 204')
    await client.run('keys', 'create', '--partner', 'tester', '--package', 'growth')
    const delivered = page.locator('td .badge', { hasText: 'Delivered' })
    await expect.poll(() => user.go(path).then(() => delivered.count()), { interval: 250 }).toBe(1)
    await user.press('Send again')
    expect(await user.text()).toContain('The event is sent again, with the same id.')
    await expect.poll(() => receiver.received.map(({ event }) => event.type)).toHaveLength(3)
    const [tested, sent, repeated] = receiver.received.map(({ event }) => event)
    expect(tested!.id).not.toBe(sent!.id)
    expect([sent!.type, repeated!.id]).toEqual(['key.created', sent!.id])
  })

  test('asks before a removal, in a dialog that Escape closes', async () => {
    const remove = page.getByRole('button', { name: 'Remove', exact: true })
    await user.use(remove)
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.isVisible()).toBe(true)
    expect(await isFocused('[popover] *')).toBe(true)
    await press('Escape')
    await expect.poll(() => dialog.isVisible()).toBe(false)
    expect(await remove.evaluate(node => node === node.ownerDocument.activeElement)).toBe(true)
    await user.use(remove)
    await user.press('Remove this webhook')
    expect(await user.text()).toContain('The webhook was removed.')
  })

  test('shows new calls while it is open and visible, and keeps the focus', async () => {
    await call('/locations/1?version=2')
    await expect
      .poll(async () => (await user.go('/portal/tester/usage?show=calls')) && user.text())
      .toContain('getLocation')
    await page.clock.install()
    await page.reload()
    const details = page.getByText('Each day as a table')
    await user.use(details)
    await page.evaluate('globalThis.isSame = true')
    await call('/locations/2?version=2')
    await page.evaluate('document.activeElement.blur()')
    await expect
      .poll(() => page.clock.runFor(liveMs).then(() => page.locator('tfoot').first().innerText()))
      .toMatch(/^Total\s+2\b/)
    expect(await page.evaluate('globalThis.isSame')).toBe(true)
    // The table that the reader has opened stays open.
    expect(await details.evaluate(node => node.parentElement.open)).toBe(true)
  })

  test('does not ask for anything while it is hidden', async () => {
    let requests = 0
    page.on('request', () => requests++)
    const setState = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
document.dispatchEvent(new Event('visibilitychange'))`)
    await setState('hidden')
    await page.clock.runFor(10 * liveMs)
    expect(requests).toBe(0)
    await setState('visible')
    await expect.poll(() => requests).toBeGreaterThan(0)
    await page.clock.resume()
  })

  test('shows the figures of a bar next to the pointer, and has them in a table', async () => {
    await page.locator('.chart-place').last().hover()
    const tip = page.locator('.chart-tip')
    expect(await tip.innerText()).toMatch(/: 2 calls$/m)
    await page.mouse.move(0, 0)
    expect(await tip.isHidden()).toBe(true)
    expect(await page.getByRole('table', { name: 'Calls of each day' }).getByRole('row').nth(1).innerText()).toMatch(
      /2$/,
    )
  })

  test('has its navigation in a popover on phones, which keys open and Escape closes', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await user.go('/portal/tester/keys')
    const nav = page.locator('#section-nav')
    expect(await nav.isVisible()).toBe(false)
    const button = page.getByRole('button', { name: /^Portal/ })
    await user.use(button)
    await expect.poll(() => nav.isVisible()).toBe(true)
    await press('Tab')
    expect(await isFocused('#section-nav a')).toBe(true)
    await press('Escape')
    await expect.poll(() => nav.isVisible()).toBe(false)
    expect(await isFocused('[popovertarget="section-nav"]')).toBe(true)
    await user.use(button)
    await user.open('Webhooks')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Webhooks')
  })

  test('shows a place of the list or the map in a sheet on phones', async () => {
    await user.go('/places?q=museo')
    const link = page.getByRole('link', { name: 'Museo Picasso' })
    await user.use(link)
    await expect.poll(() => isFocused('#chosen-title')).toBe(true)
    const sheet = page.locator('.sheet')
    const height = async () => (await sheet.boundingBox())!.height
    const low = await height()
    expect(low).toBeLessThanOrEqual(844 / 2)
    expect(new URL(page.url()).searchParams.get('id')).toBe('3')
    expect(await page.locator('.pin.chosen').getAttribute('title')).toBe('Museo Picasso')
    const size = page.locator('#sheet-size')
    await press('Shift+Tab')
    await press('Shift+Tab')
    expect(await isFocused('#sheet-size')).toBe(true)
    await press('Enter')
    expect(await size.getAttribute('aria-expanded')).toBe('true')
    expect(await height()).toBeGreaterThan(844 * 0.9)
    await press('Enter')
    expect(await height()).toBe(low)
    await press('Escape')
    await expect.poll(() => sheet.count()).toBe(0)
    await expect.poll(() => link.evaluate(node => node === node.ownerDocument.activeElement)).toBe(true)
    expect(new URL(page.url()).searchParams.has('id')).toBe(false)
    await page.getByTitle('Museo Picasso').click()
    await expect.poll(() => page.locator('#chosen-title').innerText()).toBe('Museo Picasso')
    await page.locator('#sheet-close').click()
    await expect.poll(() => sheet.count()).toBe(0)
  })

  test('lets the sheet be dragged to full and half height and away, without motion if the reader wants none', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await user.go('/places?q=museo&id=3')
    const sheet = page.locator('.sheet')
    await expect.poll(() => sheet.count()).toBe(1)
    await page.evaluate(`globalThis.animations = 0
const animate = Element.prototype.animate
Element.prototype.animate = function (...given) { globalThis.animations++; return animate.apply(this, given) }`)
    const drag = async (toY: number) => {
      const { x, y, width } = (await page.locator('.sheet-bar').boundingBox())!
      await page.mouse.move(x + width / 2, y + 12)
      await page.mouse.down()
      await page.mouse.move(x + width / 2, toY, { steps: 4 })
      await page.mouse.up()
    }
    const isTall = () => sheet.evaluate(node => node.classList.contains('tall'))
    await drag(100)
    expect([await isTall(), await page.locator('#sheet-size').getAttribute('aria-expanded')]).toEqual([true, 'true'])
    expect((await sheet.boundingBox())!.height).toBeGreaterThan(844 * 0.9)
    await drag(500)
    expect([await isTall(), await page.evaluate('globalThis.animations')]).toEqual([false, 0])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await drag(100)
    expect([await isTall(), await page.evaluate('globalThis.animations')]).toEqual([true, 1])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.locator('#sheet-size').click()
    expect(await isTall()).toBe(false)
    await drag(840)
    await expect.poll(() => sheet.count()).toBe(0)
    expect(new URL(page.url()).searchParams.has('id')).toBe(false)
  })

  test.each([
    [2, [40, 0], 'of-country'],
    [8, [41.38, 2.18], 'of-city'],
    [14, [40.41, -3.69], 'of-city'],
  ] as const)('draws the map at zoom %i: land, names and pins, without an error', async (zoom, [lat, lon], names) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    const problems: string[] = []
    page.on('pageerror', error => problems.push(error.message))
    // The page that only measures the map may still load its files when the next one replaces it.
    page.on('requestfailed', request => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(request.url())
    })
    page.on('console', message => message.type() === 'error' && problems.push(message.text()))
    await user.go('/places?q=museo')
    const { width } = (await page.locator('[data-map]').boundingBox())!
    const [x, y] = [0.495, 0.02].map(share => (width / (256 * 2 ** zoom)) * 360 * share) as [number, number]
    const asksForNames = (url: URL) => url.pathname.endsWith('names.json') && url.searchParams.get('zoom') === `${zoom}`
    await Promise.all([
      zoom < 5 ? undefined : page.waitForRequest(request => asksForNames(new URL(request.url()))),
      user.go(`/places?box=${[lat - y, lon - x, lat + y, lon + x].map(degrees => degrees.toFixed(4)).join()}`),
    ])
    const land = page.locator('path.map-land')
    await expect
      .poll(async () => (await land.count()) > 0 && land.first().evaluate(path => path.getBBox().width))
      .toBeGreaterThan(width / 4)
    await expect.poll(() => page.locator(`.map-name.${names}`).count()).toBeGreaterThan(0)
    await expect.poll(() => page.locator('.leaflet-marker-pane .pin').count()).toBeGreaterThan(0)
    expect(problems).toEqual([])
    page.removeAllListeners()
  })

  test('shows the name of a tapped result in view; Back returns to the list, and its URL opens the same place', async () => {
    await user.go('/places?q=museo')
    await page.getByRole('link', { name: 'Museo del Prado' }).click()
    const title = page.locator('#chosen-title')
    await expect.poll(() => title.innerText()).toBe('Museo del Prado')
    const { y, height } = (await title.boundingBox())!
    expect([y >= 0, y + height <= 844]).toEqual([true, true])
    const copied = page.url()
    await page.goBack()
    await expect.poll(() => title.count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Museo del Prado' }).isVisible()).toBe(true)
    await user.go(copied.slice(world.url.length))
    expect(await title.innerText()).toBe('Museo del Prado')
  })
})
