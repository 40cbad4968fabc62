import { readFileSync } from 'node:fs'
import { bundledFile } from '../../../kit/bundled.ts'
import { html } from '../../../web/html.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { renderMarkdown } from './markdown-page.ts'
import type { VersionReference } from './reference.ts'

/** Returns the page about the sources of the data, and the licences of the service and its maps. */
export const licencesPage = (isDemo: boolean, { nav, publicUrl }: VersionReference): LayoutPage => ({
  title: 'Data sources and licences',
  path: '/docs/licences',
  nav,
  scripts: ['docs-search.js'],
  lead: 'Each place names its sources and their licences in the member attributions.',
  content: html`<div class="prose"><h2>This service</h2>
<p>Periplus is open source under the Apache License 2.0. Its maps show land and borders of
<a href="https://www.naturalearthdata.com">Natural Earth</a>, which are in the public domain. So are the borders and names
of states and provinces, by which searches find places; names of countries and of larger regions are those of
<a href="https://cldr.unicode.org">Unicode CLDR</a> (<a href="https://www.unicode.org/license.txt">Unicode License v3</a>).</p>
${isDemo && renderMarkdown(sampleText(), publicUrl)}</div>`,
})

/** Returns the text about the bundled sample, with its title as a heading of the second level. */
const sampleText = (): string =>
  readFileSync(bundledFile('demo/ATTRIBUTION.md'), 'utf8')
    .replaceAll(/^(#+ )/gm, '#$1')
    .replace(/^.*generates this file from the records.*\n/m, '')
