import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules whose result depends on the width of the window or on the colours. */
export const visualRules: RunOptions = {
  runOnly: ['color-contrast', 'scrollable-region-focusable', 'target-size', 'link-in-text-block'],
}

/** Returns the violations of the accessibility rules of axe-core in a page, each with the elements concerned. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${source} })()`)
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`
  const { violations } = (await page.evaluate(run)) as AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

/** Returns how many pixels the content of a page is wider than the window. */
export const excessWidth = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
