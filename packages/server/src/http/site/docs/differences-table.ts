import { type HtmlValue, html } from '../../../web/html.ts'
import { breakable } from '../../../web/parts/code.ts'
import { table } from '../../../web/parts/table.ts'
import { versionTitle } from '../../../web/parts/version-badge.ts'
import type { Difference } from '../../../web/reference/differences.ts'
import type { VersionDifferences } from './version-differences.ts'

/** Returns the endpoints, fields and parameters that differ between two versions. */
export const differencesTable = ({ before, after, differences }: VersionDifferences): HtmlValue =>
  table<Difference>({
    caption: `Differences between version ${before} and version ${after}`,
    rows: differences,
    empty: html`<p>Endpoints, fields and parameters are the same.</p>`,
    columns: [
      { label: 'In', cell: ({ of }) => of },
      { label: 'Field or parameter', kind: 'name', cell: ({ name }) => html`<code>${breakable(name)}</code>` },
      { label: versionTitle(before), cell: one => one.before ?? absent },
      { label: versionTitle(after), cell: one => one.after ?? absent },
    ],
  })

const absent = html`<span class="quiet">absent</span>`
