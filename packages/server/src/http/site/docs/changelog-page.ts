import { existsSync, readFileSync } from 'node:fs'
import { bundledFile } from '../../../kit/bundled.ts'
import type { Lifecycle } from '../../../versions/lifecycle.ts'
import { html } from '../../../web/html.ts'
import type { PublicPage } from '../page.ts'
import { differencesTable } from './differences-table.ts'
import { markdownPage } from './markdown-page.ts'
import type { VersionReference } from './reference.ts'
import { type CompareVersions, previousVersion } from './version-differences.ts'

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
  readonly compare: CompareVersions
}

/** Returns the page of a version's changes: its changelog, and the differences to the version before it by field. */
export function changelogPage(
  name: string,
  { lifecycle, compare }: ChangelogParts,
  nowMs: number,
  reference: VersionReference,
): PublicPage | undefined {
  const text = readChangelog(name)
  if (text === undefined) return undefined
  const own = name.replace(/^v/, '')
  const page = markdownPage(text, '/docs/versions', reference)
  const previous = previousVersion(lifecycle, own, nowMs)
  const compared = previous === undefined ? undefined : compare(previous, own, nowMs)
  return {
    ...page,
    ownPath: `/changelog/${own === 'beta' ? own : `v${own}`}`,
    trail: [{ path: '/docs/versions', label: 'Versions and changes' }],
    content: [
      page.content,
      compared && html`<h2 id="differences">Differences from version ${compared.before}, by field</h2>`,
      compared && differencesTable(compared),
    ],
  }
}
