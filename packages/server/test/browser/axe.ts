import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const contrast = readFileSync(new URL('./contrast.js', import.meta.url), 'utf8')

/** Loads the scripts of the checks below into each page of a context. */
export async function addChecks(context: BrowserContext): Promise<void> {
  await context.addInitScript(axe)
  await context.addInitScript(contrast)
}

/**
 * Returns the violations of the accessibility rules of axe-core in a page, each with the elements concerned. Its rule
 * of contrast takes as long as most others together, and can be left to `findLowContrast`.
 */
export async function findViolations(page: Page, contrast: boolean): Promise<string[]> {
  const rules = `{ "color-contrast": { enabled: ${contrast} } }`
  // The other results are large.
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"], preload: false, rules: ${rules} }).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

/** Returns the pairs of colours in a page with too little contrast. */
export const findLowContrast = (page: Page): Promise<string[]> => page.evaluate('findLowContrast()')

/** Returns how many pixels the content of a page is wider than the window. */
export const excessWidth = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
