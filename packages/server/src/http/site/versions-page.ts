import type { LifecycleTimes } from '../../domain/lifecycle.ts'
import { getBetaVersion, getDefaultVersion, isRetired, type Lifecycle } from '../../versions/lifecycle.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import { listVersionDocuments } from '../openapi/served-documents.ts'
import { escapeHtml, renderHtmlPage } from './html.ts'

/** Returns the page that the Link headers of R-18 point to: all versions and all deprecated endpoints with their dates. */
export function renderVersionsPage(lifecycle: Lifecycle, nowMs: number, root: string): string {
  const base = escapeHtml(root)
  const latest = getDefaultVersion(lifecycle, nowMs)
  const beta = getBetaVersion(lifecycle, nowMs)
  const documents = new Map(listVersionDocuments(lifecycle, nowMs).map(({ name, entry }) => [entry.name, name]))
  const row = (entry: RegisteredVersion) => {
    const file = documents.get(entry.name)
    const links = file
      ? `<a href="${base}openapi/${file}.json">OpenAPI</a>, <a href="${base}changelog/${file}">changelog</a>`
      : ''
    const state = isRetired(entry, nowMs) ? 'retired' : entry === latest ? `${entry.status}, the default` : entry.status
    return `<tr id="${entry.name}"><td>${entry.name}</td><td>${state}</td>${renderDates(entry)}<td>${links}</td></tr>`
  }
  const endpoints = Object.entries(lifecycle.endpoints).map(
    ([operation, span]) => `<tr id="${operation}"><td>${operation}</td>${renderDates(span)}</tr>`,
  )
  return renderHtmlPage({
    title: 'Versions · Periplus',
    root: base,
    body: `<main>
<h1>Versions</h1>
<p>Send <code>version</code> with every request. The response headers <code>Deprecation</code> and
<code>Sunset</code> announce the end of a version or endpoint, which returns 410 from its sunset on.</p>
<table><thead><tr><th>Version</th><th>Status</th><th>Deprecated</th><th>Sunset</th><th></th></tr></thead><tbody>
${[...lifecycle.versions, ...(beta ? [beta] : [])].map(row).join('\n')}
</tbody></table>
${
  endpoints.length === 0
    ? ''
    : `<h2>Endpoints</h2>
<table><thead><tr><th>Endpoint</th><th>Deprecated</th><th>Sunset</th></tr></thead><tbody>
${endpoints.join('\n')}
</tbody></table>`
}
<p><a href="${base}docs">API reference</a> · <a href="${base}docs/guide">Guide</a> · <a href="${base}">Home</a></p>
</main>`,
  })
}

const renderDates = ({ deprecatedMs, sunsetMs }: LifecycleTimes): string =>
  `<td>${formatTime(deprecatedMs)}</td><td>${formatTime(sunsetMs)}</td>`

const formatTime = (ms: number | undefined): string =>
  ms === undefined ? '' : new Date(ms).toISOString().replace('.000Z', 'Z')
