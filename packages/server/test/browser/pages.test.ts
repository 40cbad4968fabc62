/** Every page of a demo in Chromium: accessibility, errors of scripts, requests to other hosts, widths and weights. */
import { gzipSync } from 'node:zlib'
import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demo, nodeArgs } from '../cli.ts'
import { scratch } from '../world.ts'
import { addChecks, excessWidth, findLowContrast, findViolations } from './axe.ts'
import { hasChromium, launchChromium } from './launch.ts'
import { findPages, type Reader, type TourPage } from './tour.ts'

/**
 * Contrast is checked in both views, the other rules in the narrow one. `npm run shots` checks all rules of axe-core at
 * two widths in both schemes.
 */
const narrow = { width: 320, colorScheme: 'dark', rules: true } as const
const wide = { width: 1280, colorScheme: 'light', rules: false } as const

const withSmallSample = [...nodeArgs, '--import', new URL('../setup/small-sample.ts', import.meta.url).href]

/** Bytes, compressed. */
const maxHtml = 30 * 1024
const maxScript = 10 * 1024
const maxMapPage = 350 * 1024

describe.skipIf(!hasChromium)('the pages of a demo', () => {
  const folder = scratch()
  let served: Awaited<ReturnType<typeof demo>>
  let browser: Browser
  let pages: TourPage[]
  const cookies: Record<'operator' | 'partner', string> = { operator: '', partner: '' }
  beforeAll(async () => {
    served = await demo(folder.path, withSmallSample)
    for (const person of ['operator', 'partner'] as const) {
      const link = new RegExp(`${person}.*?(/portal/link/\\S+)`).exec(served.printed())![1]!
      const reply = await fetch(served.url + link, { method: 'POST', redirect: 'manual' })
      cookies[person] = reply.headers.getSetCookie()[0]!.split(';')[0]!
    }
    pages = await findPages(served.url, cookies)
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await served.stop()
    folder.remove()
  })

  test('are found by their links', () => {
    // The demo records the import of its sample.
    const routes = ['/', '/docs', '/console/audit', '/console/imports/:id']
    expect(pages.map(({ route }) => route)).toEqual(expect.arrayContaining(routes))
    expect(pages.length).toBeGreaterThan(40)
  })

  test('would be reported with too little contrast', async () => {
    const context = await browser.newContext()
    await addChecks(context)
    const page = await context.newPage()
    await page.setContent(`<body style="background: #fff"><p style="color: #888">Grey</p><p style="color: #666">Dark</p>
<div style="background: rgb(0 0 0 / 60%)"><p style="color: #444; font-size: 30px">Large</p></div>`)
    const found = await findLowContrast(page)
    expect(found).toHaveLength(2)
    expect(found.join()).toMatch(/3\.5\d of .*"Grey".*"Large"/)
    await context.close()
  })

  test('have no violations of accessibility rules and no errors, request no other host, fit the window, and are small', async () => {
    const problems = await Promise.all(
      (['anybody', 'operator', 'partner'] as const).map(reader =>
        inspect(
          reader,
          pages.filter(page => page.reader === reader),
        ),
      ),
    )
    expect(problems.flat()).toEqual([])
  })

  /** Opens pages as a reader, and returns their problems. */
  async function inspect(reader: Reader, list: readonly TourPage[]): Promise<string[]> {
    const problems: string[] = []
    const cookie = reader === 'anybody' ? '' : cookies[reader]
    // Colours that are still changing would be measured.
    const context = await browser.newContext({ extraHTTPHeaders: { cookie }, reducedMotion: 'reduce' })
    await addChecks(context)
    const page = await context.newPage()
    let path = ''
    const report = (problem: string) => problems.push(`${path}: ${problem}`)
    page.on('console', message => message.type() === 'error' && report(message.text()))
    page.on('pageerror', error => report(error.message))
    page.on('request', request => {
      if (!request.url().startsWith(served.url) && !request.url().startsWith('data:'))
        report(`requests ${request.url()}`)
    })
    // The next page is opened in the view that the last one had.
    let views: readonly (typeof narrow | typeof wide)[] = [narrow, wide]
    for ({ path } of list) {
      let response: Response | null = null
      for (const { width, colorScheme, rules } of views) {
        await page.setViewportSize({ width, height: 844 })
        await page.emulateMedia({ colorScheme })
        response ??= await page.goto(served.url + path)
        const violations = rules ? await findViolations(page, false) : []
        for (const violation of [...violations, ...(await findLowContrast(page))])
          report(`${width} px, ${colorScheme}: ${violation}`)
        const over = await excessWidth(page)
        if (over > 0) report(`is ${over} px wider than ${width} px`)
      }
      for (const excess of await weigh(page, await response!.body())) report(excess)
      views = views.toReversed()
    }
    await context.close()
    return problems
  }

  const sizes = new Map<string, number>()
  const sizeOf = async (url: string): Promise<number> => {
    const size = sizes.get(url) ?? gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length
    sizes.set(url, size)
    return size
  }

  /** Returns the bounds that the HTML and the scripts of a page exceed. */
  async function weigh(page: Page, body: Buffer): Promise<string[]> {
    const html = gzipSync(body).length
    const urls = (await page.evaluate(
      'performance.getEntriesByType("resource").map(({ name }) => name).filter(name => /\\.(js|json)$/.test(name))',
    )) as string[]
    let script = 0
    for (const url of urls) script += await sizeOf(url)
    const max = urls.some(url => /\/leaflet\./.test(url)) ? maxMapPage : maxScript
    return [
      ...(html > maxHtml ? [`has ${html} bytes of HTML`] : []),
      ...(script > max ? [`has ${script} bytes of scripts and data`] : []),
    ]
  }
})
