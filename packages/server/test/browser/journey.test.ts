/**
 * The way of an operator and of a partner through console and portal, in Chromium, from an empty folder to a rotated
 * key. The same way is made by keys alone with scripts, and by mouse without scripts.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serve } from '../cli.ts'
import { send } from '../http-client.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { createKeyboard } from './keyboard.ts'
import { hasChromium, launchChromium } from './launch.ts'
import { mouse, Person } from './person.ts'

const password = 'correct horse battery'
const places = [
  {
    id: 1,
    source: 'atlas',
    source_id: 'a',
    name: 'Museo del Prado',
    category: 'museum',
    lat: 40.41,
    lon: -3.69,
    country: 'ES',
  },
]

let browser: Browser
beforeAll(async () => {
  if (hasChromium) browser = await launchChromium()
})
afterAll(() => browser?.close())

describe.skipIf(!hasChromium).each([
  { name: 'a browser used by keys alone', javaScriptEnabled: true },
  { name: 'a browser without scripts', javaScriptEnabled: false },
])('$name', ({ javaScriptEnabled }) => {
  const folder = scratch()
  let served: Awaited<ReturnType<typeof serve>>
  let operator: Person
  let partner: Person
  const ids = { partner: '', key: '' }
  let secret = ''

  const call = (path: string, key = secret) => send(served.url, path, { headers: { 'X-API-Key': key } })
  const newPerson = async (): Promise<Person> => {
    const baseURL = served.url.replace('127.0.0.1', 'localhost')
    const context = await browser.newContext({ javaScriptEnabled, baseURL })
    context.setDefaultTimeout(inject('limitMs') / 4)
    const page = await context.newPage()
    return new Person(context, page, javaScriptEnabled ? await createKeyboard(page) : mouse)
  }

  beforeAll(async () => {
    await importRows(configFor(folder.path), 'location', places)
    served = await serve(folder.path)
    operator = await newPerson()
    partner = await newPerson()
  })
  afterAll(async () => {
    await Promise.all([operator, partner].map(({ context }) => context.close()))
    await served.stop()
    folder.remove()
  })

  test('the link of the first start makes an owner', async () => {
    // On a busy machine, pages are refused until their thread has started.
    await expect.poll(() => send(served.url, '/portal/sign-in').then(({ status }) => status)).toBe(200)
    const ownerLink = () => /Open once to become the owner: (\S+)/.exec(served.printed())?.[1]
    await expect.poll(ownerLink).toBeDefined()
    await operator.go(ownerLink()!)
    await operator.fill('E-mail address', 'olga@example.org')
    await operator.fill('New password', password)
    await operator.submit()
    await operator.page.waitForURL('**/console')
    expect(await operator.text()).toContain('partner')
  })

  test('the owner creates a partner and a key, and invites a user', async () => {
    await operator.open('Partners')
    await operator.fill('Name', 'Wayfarer')
    await operator.press('Create partner')
    await operator.page.waitForURL(/\/console\/partners\/partner_/)
    ids.partner = new URL(operator.page.url()).pathname.split('/').at(-1)!
    await operator.follow('New key')
    await operator.fill('Name', 'Trip planner')
    await operator.choose('Package', 'growth')
    await operator.press('Create key')
    secret = await operator.code()
    expect(secret).toMatch(/^peri_live_/)
    await operator.follow('I have stored it')
    ids.key = new URL(operator.page.url()).pathname.split('/').at(-1)!
    await operator.go(`/console/partners/${ids.partner}`)
    await operator.follow('Invite user')
    await operator.fill('E-mail address', 'pia@example.org')
    await operator.press('Invite')
    await partner.go(await operator.code())
  })

  test('the user follows the invitation, and signs in', async () => {
    await partner.fill('New password', password)
    await partner.submit()
    await partner.page.waitForURL(`**/portal/${ids.partner}**`)
    await partner.context.clearCookies()
    await partner.go(`/portal/${ids.partner}/keys`)
    await partner.fill('E-mail address', 'pia@example.org')
    await partner.fill('Password', password)
    await partner.press('Sign in')
    expect(new URL(partner.page.url()).pathname).toBe(`/portal/${ids.partner}/keys`)
  })

  test('the user creates a test key, sees the first calls, and why one was refused', async () => {
    await partner.follow('New key')
    await partner.fill('Name', 'Laptop')
    await partner.press('Create key')
    expect(await partner.code()).toMatch(/^peri_test_/)
    await partner.follow('I have stored it')
    expect(await partner.text()).toContain('Laptop')
    expect((await call('/locations/1?version=1')).status).toBe(200)
    expect((await call('/recommendations/search?query=museum&lat=40.41&lon=-3.69&version=1')).status).toBe(403)
    await expect.poll(() => source(`${portal()}/usage?show=calls`), { interval: 250 }).toContain('getLocation')
    await partner.go(`${portal()}/usage?show=calls`)
    expect(await partner.text()).toContain('getLocation')
    await expect.poll(() => source(portal()), { interval: 250 }).toContain('Trip planner')
    await partner.open('Overview')
    expect(await partner.text()).toContain('Trip planner')
    const row = /<tr(?:(?!<\/tr>).)*searchRecommendations/s
    await expect.poll(() => source(`${portal()}/requests`), { interval: 250 }).toMatch(row)
    await partner.open('Requests')
    const refused = partner.page.getByRole('row').filter({ hasText: 'searchRecommendations' })
    expect(await refused.count()).toBeGreaterThan(0)
    const link = refused.getByRole('link').first()
    // The beginning of its text is for screen readers only: a click there would miss it.
    await partner.leaveBy(javaScriptEnabled ? link : link.getByText('…'))
    await partner.page.waitForURL('**/requests/*')
    expect(await partner.text()).toContain('recommendations')
    expect(await partner.text()).toMatch(/add-on|package/i)
  })

  test('the user asks for an add-on, the operator approves, and the refusals end', async () => {
    for (const [name, label] of [
      ['recommendations', 'Recommendations'],
      ['feeds', 'Feeds'],
    ] as const) {
      await partner.go(`/portal/${ids.partner}/plan`)
      await partner.follow('Request an add-on')
      await partner.check(label)
      await partner.fill('Reason', `We need ${name}.`)
      await partner.press('Send request')
      await operator.go('/console/upgrades')
      const row = operator.page.getByRole('main').getByRole('row').filter({ hasText: name })
      await operator.leaveBy(row.getByRole('link').first())
      await operator.press('Approve')
      expect(await operator.text()).toContain('The request was approved.')
    }
    // Each attempt counts toward the search limits of the key.
    const attempt = async () =>
      (await call('/recommendations/search?query=museum&lat=40.41&lon=-3.69&version=1')).status
    await expect.poll(attempt, { interval: 2000 }).toBe(200)
  })

  test('the user moves a feed pin after a preview, and undoes it', async () => {
    await partner.open('Feeds')
    await partner.follow(/^Move/)
    await partner.choose('Version', '2')
    await partner.press('Preview')
    expect(await partner.text()).toContain('Members removed')
    await partner.press('Move to version 2')
    expect(await partner.text()).toContain('Undo: back to')
    await partner.press(/^Undo: back to/)
    expect(await partner.text()).not.toContain('Undo: back to 1')
  })

  test('the user rotates the key with an overlap; the old and the new secret work', async () => {
    await partner.open('Keys')
    await partner.follow('Trip planner')
    await partner.follow('Rotate')
    await partner.check('7 days')
    await partner.press('Rotate')
    const rotated = await partner.code()
    expect(rotated).toMatch(/^peri_live_/)
    expect(rotated).not.toBe(secret)
    for (const one of [secret, rotated]) expect((await call('/locations/1?version=1', one)).status).toBe(200)
  })

  const portal = () => `/portal/${ids.partner}`
  /** Fetches a page as the user, without showing it. */
  const source = async (path: string): Promise<string> => (await partner.context.request.get(path)).text()
})
