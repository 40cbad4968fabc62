import type { LifecycleTimes } from '../../domain/lifecycle.ts'
import { getBetaVersion, getDefaultVersion, isRetired, type Lifecycle } from '../../versions/lifecycle.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import { type Html, html } from '../../web/html.ts'
import type { LayoutPage } from '../../web/layout.ts'
import { linkTo, type Site } from '../../web/site.ts'
import { listVersionDocuments } from '../openapi/served-documents.ts'

/** Returns the page that the Link headers of R-18 point to: all versions and all deprecated endpoints with their dates. */
export function toVersionsPage(lifecycle: Lifecycle, nowMs: number, site: Site): LayoutPage {
  const latest = getDefaultVersion(lifecycle, nowMs)
  const beta = getBetaVersion(lifecycle, nowMs)
  const documents = new Map(listVersionDocuments(lifecycle, nowMs).map(({ name, entry }) => [entry.name, name]))
  const row = (entry: RegisteredVersion) => {
    const file = documents.get(entry.name)
    const state = isRetired(entry, nowMs) ? 'retired' : entry === latest ? `${entry.status}, the default` : entry.status
    return html`<tr id="${entry.name}"><td>${entry.name}</td><td>${state}</td>${renderDates(entry)}<td>${file !== undefined && html`<a href="${linkTo(site, `/openapi/${file}.json`)}">OpenAPI</a>, <a href="${linkTo(site, `/changelog/${file}`)}">changelog</a>`}</td></tr>
`
  }
  const endpoints = Object.entries(lifecycle.endpoints).map(
    ([operation, span]) => html`<tr id="${operation}"><td>${operation}</td>${renderDates(span)}</tr>\n`,
  )
  return {
    title: 'Versions',
    path: '/docs/versions',
    content: html`<p>Send <code>version</code> with every request. The response headers <code>Deprecation</code> and
<code>Sunset</code> announce the end of a version or endpoint, which returns 410 from its sunset on.</p>
<div class="table"><table><thead><tr><th>Version</th><th>Status</th><th>Deprecated</th><th>Sunset</th><th></th></tr></thead><tbody>
${[...lifecycle.versions, ...(beta ? [beta] : [])].map(row)}</tbody></table></div>
${
  endpoints.length > 0 &&
  html`<h2>Endpoints</h2>
<div class="table"><table><thead><tr><th>Endpoint</th><th>Deprecated</th><th>Sunset</th></tr></thead><tbody>
${endpoints}</tbody></table></div>
`
}`,
  }
}

const renderDates = ({ deprecatedMs, sunsetMs }: LifecycleTimes): Html =>
  html`<td>${formatTime(deprecatedMs)}</td><td>${formatTime(sunsetMs)}</td>`

const formatTime = (ms: number | undefined): string =>
  ms === undefined ? '' : new Date(ms).toISOString().replace('.000Z', 'Z')
