/**
 * The way of an operator and of a partner through console and portal, in Chromium, from an empty folder to a rotated
 * key. The same way runs by mouse with scripts, and by forms alone without scripts.
 */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serve } from '../cli.ts'
import { send } from '../http-client.ts'
import { configFor, importRows, scratch } from '../world.ts'

const executablePath = '/usr/bin/chromium'
const hasChromium = existsSync(executablePath)
if (!hasChromium) console.warn(`No journey is made in a browser: there is no ${executablePath}.`)

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

/** A person with a browser of their own. */
class Person {
  readonly page: Page
  readonly context: BrowserContext

  constructor(context: BrowserContext, page: Page) {
    this.context = context
    this.page = page
  }

  go(path: string): Promise<unknown> {
    return this.page.goto(path)
  }

  fill(label: string, value: string): Promise<void> {
    return this.page
      .getByLabel(new RegExp(`^${label}`))
      .first()
      .fill(value)
  }

  press(button: string): Promise<void> {
    return this.page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click()
  }

  /** Sends the only form of the page. */
  submit(): Promise<void> {
    return this.page.locator('main form button').first().click()
  }

  follow(link: string): Promise<void> {
    return this.page.getByRole('main').getByRole('link', { name: link, exact: true }).first().click()
  }

  open(section: string): Promise<void> {
    return this.page.getByRole('navigation').getByRole('link', { name: section, exact: true }).first().click()
  }

  text(): Promise<string> {
    return this.page.getByRole('main').innerText()
  }

  /** Returns the text of the first block of code: a secret or a link. */
  code(): Promise<string> {
    return this.page.locator('main pre code').first().innerText()
  }
}

describe.skipIf(!hasChromium).each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
  'a browser with %o',
  options => {
    const folder = scratch()
    let served: Awaited<ReturnType<typeof serve>>
    let browser: Browser
    let operator: Person
    let partner: Person
    const ids = { partner: '', key: '' }
    let secret = ''

    const call = (path: string, key = secret) => send(served.url, path, { headers: { 'X-API-Key': key } })
    const newPerson = async (): Promise<Person> => {
      const context = await browser.newContext({ ...options, baseURL: served.url.replace('127.0.0.1', 'localhost') })
      context.setDefaultTimeout(inject('limitMs') / 2)
      return new Person(context, await context.newPage())
    }

    beforeAll(async () => {
      await importRows(configFor(folder.path), 'location', places)
      served = await serve(folder.path)
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
      operator = await newPerson()
      partner = await newPerson()
    })
    afterAll(async () => {
      await browser?.close()
      await served.stop()
      folder.remove()
    })

    test('the link of the first start makes an owner', async () => {
      await operator.go(/Open once to become the owner: (\S+)/.exec(served.printed())![1]!)
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
      await operator.page.getByLabel('Package', { exact: true }).selectOption('growth')
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

    test('the user signs in and sees the first calls, and why one was refused', async () => {
      await partner.fill('New password', password)
      await partner.submit()
      await partner.page.waitForURL(`**/portal/${ids.partner}**`)
      expect((await call('/locations/1?version=1')).status).toBe(200)
      expect((await call('/recommendations/search?query=museum&lat=40.41&lon=-3.69&version=1')).status).toBe(403)
      await expect.poll(() => usageText()).toContain('getLocation')
      await partner.open('Overview')
      expect(await partner.text()).toContain('Trip planner')
      await partner.open('Requests')
      const refused = partner.page.getByRole('row').filter({ hasText: 'searchRecommendations' })
      await expect.poll(() => reload(partner).then(() => refused.count())).toBeGreaterThan(0)
      await refused.getByRole('link').first().press('Enter')
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
        await partner.page.getByRole('radio', { name: label }).check()
        await partner.fill('Reason', `We need ${name}.`)
        await partner.press('Send request')
        await operator.go('/console/upgrades')
        await operator.page
          .getByRole('main')
          .getByRole('row')
          .filter({ hasText: name })
          .getByRole('link')
          .first()
          .click()
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
      await partner.page.getByRole('link', { name: /^Move/ }).first().click()
      await partner.page.getByLabel('Version', { exact: true }).selectOption('2')
      await partner.press('Preview')
      await partner.press('Move to version 2')
      expect(await partner.text()).toContain('Undo: back to')
      await partner.page
        .getByRole('button', { name: /^Undo: back to/ })
        .first()
        .click()
      expect(await partner.text()).not.toContain('Undo: back to 1')
    })

    test('the user rotates the key with an overlap; the old and the new secret work', async () => {
      await partner.go(`/portal/${ids.partner}/keys/${ids.key}/rotate`)
      await partner.press('Rotate')
      const rotated = await partner.code()
      expect(rotated).toMatch(/^peri_live_/)
      expect(rotated).not.toBe(secret)
      for (const one of [secret, rotated]) expect((await call('/locations/1?version=1', one)).status).toBe(200)
    })

    const reload = async (person: Person): Promise<string> => {
      await person.page.reload()
      return person.text()
    }
    const usageText = async (): Promise<string> => {
      await partner.go(`/portal/${ids.partner}/usage?show=calls`)
      return partner.text()
    }
  },
)
