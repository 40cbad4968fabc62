import { existsSync, readFileSync } from 'node:fs'
import { bundledFile } from '../../../kit/bundled.ts'
import { getDefaultVersion, type Lifecycle } from '../../../versions/lifecycle.ts'
import { type Html, html } from '../../../web/html.ts'
import { breakable } from '../../../web/parts/code.ts'
import { table } from '../../../web/parts/table.ts'
import { compareDocuments, type Difference } from '../../../web/reference/differences.ts'
import type { OpenApiDocument } from '../../../web/reference/openapi.ts'
import { findDocument, listVersionDocuments } from '../../openapi/served-documents.ts'
import type { PublicPage } from '../page.ts'
import { markdownPage } from './markdown-page.ts'
import type { ReferenceSettings, VersionReference } from './reference.ts'

/** Returns the changelog of a version, even of a retired or deleted one. `name` is as in a path: `1`, `v1`, `beta`. */
export function readChangelog(name: string): string | undefined {
  const file = /^(?:v?\d{1,4}|beta)$/.test(name) ? name.replace(/^(?=\d)/, 'v') : undefined
  const folder = bundledFile('contract/partner')
  const path = `${folder}/CHANGELOG-${file}.md`
  return file !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** The parts of the service that changelogs describe. */
export interface ChangelogParts {
  readonly lifecycle: Lifecycle
  readonly settings: ReferenceSettings
}

/** Returns the page of a version's changes: its changelog, and the differences to the version before it by field. */
export function changelogPage(
  name: string,
  { lifecycle, settings }: ChangelogParts,
  nowMs: number,
  reference: VersionReference,
): PublicPage | undefined {
  const text = readChangelog(name)
  if (text === undefined) return undefined
  const own = name.replace(/^v/, '')
  const page = markdownPage(text, '/docs/versions', reference)
  const previous = previousVersion(lifecycle, own, nowMs)
  const documentOf = (version: string) =>
    findDocument(lifecycle, settings, version, nowMs) as unknown as OpenApiDocument | undefined
  const [before, after] = [previous === undefined ? undefined : documentOf(previous), documentOf(own)]
  return {
    ...page,
    ownPath: `/changelog/${own === 'beta' ? own : `v${own}`}`,
    trail: [{ path: '/docs/versions', label: 'Versions and changes' }],
    content: [page.content, before && after && differenceTable(compareDocuments(before, after), previous!)],
  }
}

/** Returns the name of the version that a version is compared with; beta extends the latest stable one. */
function previousVersion(lifecycle: Lifecycle, name: string, nowMs: number): string | undefined {
  if (name === 'beta') return getDefaultVersion(lifecycle, nowMs).name
  const names = listVersionDocuments(lifecycle, nowMs).map(({ entry }) => entry.name)
  const at = names.indexOf(name)
  return at > 0 ? names[at - 1] : undefined
}

const differenceTable = (
  differences: readonly Difference[],
  previous: string,
): Html => html`<h2 id="differences">Differences from version ${previous}, by field</h2>
${table({
  caption: 'Differences by field',
  rows: differences,
  empty: html`<p>Fields and parameters are the same.</p>`,
  columns: [
    { label: 'In', cell: ({ of }) => of },
    { label: 'Field or parameter', kind: 'name', cell: ({ name }) => html`<code>${breakable(name)}</code>` },
    { label: `Version ${previous}`, cell: ({ before }) => before ?? html`<span class="quiet">absent</span>` },
    { label: 'This version', cell: ({ after }) => after ?? html`<span class="quiet">absent</span>` },
  ],
})}`
