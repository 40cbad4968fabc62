/**
 * Takes screenshots of all pages of a demo in Chromium, at two widths, light and dark, and reports errors of their
 * scripts, requests to other hosts, violations of accessibility rules, and content that is wider than the window.
 *   npm run shots [-- --out DIR] [--only TEXT] [--widths 1280,390] [--schemes light,dark]
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { startDemo } from '../bench/load/demo.ts'
import { flag } from '../bench/load/figures.ts'
import { addChecks, excessWidth, findViolations } from '../packages/server/test/browser/axe.ts'
import { findPages, type TourPage } from '../packages/server/test/browser/tour.ts'

const out = flag('out', 'shots')
const only = flag('only', '')
const widths = flag('widths', '1280,390').split(',').map(Number)
const schemes = flag('schemes', 'light,dark').split(',') as ('light' | 'dark')[]
const heights: Readonly<Record<number, number>> = { 390: 844 }

mkdirSync(out, { recursive: true })
const { server, signIn } = await startDemo()
const cookies = { operator: await signIn('operator'), partner: await signIn('partner') }
const pages = (await findPages(server.url, cookies)).filter(({ path }) => path.includes(only))
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
let problems = 0

for (const width of widths)
  for (const scheme of schemes)
    for (const page of pages)
      for (const problem of await shoot(browser, page, width, scheme)) {
        problems++
        console.log(`${page.path} (${width} px, ${scheme}): ${problem}`)
      }

await browser.close()
await server.stop()
console.log(`${pages.length} pages in ${out}; ${problems} problems.`)
process.exit(problems > 0 ? 1 : 0)

/** Takes the screenshot of a page, and returns its problems. */
async function shoot(browser: Browser, { path, reader }: TourPage, width: number, scheme: 'light' | 'dark') {
  const context = await browser.newContext({
    viewport: { width, height: heights[width] ?? 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    baseURL: server.url,
    ...(reader !== 'anybody' && { extraHTTPHeaders: { cookie: cookies[reader] } }),
  })
  await addChecks(context)
  const page = await context.newPage()
  const found: string[] = []
  page.on('console', message => message.type() === 'error' && found.push(message.text()))
  page.on('pageerror', error => found.push(error.message))
  page.on('request', request => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
      found.push(`requests ${request.url()}`)
  })
  await page.goto(path, { waitUntil: 'load' })
  // Maps and pages that complete themselves need a moment.
  await page.waitForTimeout(400)
  const over = await excessWidth(page)
  if (over > 0) found.push(`is ${over} px wider than the window`)
  found.push(...(await findViolations(page, true)))
  const name = path.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '') || 'home'
  await page.screenshot({ path: join(out, `${name.slice(0, 80)}-${width}-${scheme}.png`), fullPage: true })
  await context.close()
  return found
}
