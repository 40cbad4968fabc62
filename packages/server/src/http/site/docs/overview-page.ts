import { faults } from '../../../domain/fault.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { breakable, samples } from '../../../web/parts/code.ts'
import { link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { table } from '../../../web/parts/table.ts'
import { inlineCode, parameterList } from '../../../web/reference/fields.ts'
import type { OperationGroup, ReferenceOperation } from '../../../web/reference/operations.ts'
import { callSamples } from '../../../web/samples.ts'
import { linkTo } from '../../../web/site.ts'
import { operationPath } from './docs-nav.ts'
import type { VersionReference } from './reference.ts'
import { versionMenu } from './version-menu.ts'

/**
 * Returns the first page of the reference: a first call, all operations, and what requests and responses have in
 * common.
 */
export function overviewPage(reference: VersionReference): LayoutPage {
  const { site, nav, folder, name, publicUrl, placeId, groups } = reference
  return {
    title: 'API reference',
    path: `/docs${folder}`,
    description: `All operations of ${site.name} with their parameters, fields, costs and limits.`,
    nav,
    actions: versionMenu(reference),
    lead: html`Places and reviews over HTTP. The base URL is <code>${publicUrl}</code>.`,
    scripts: ['samples.js', 'docs-search.js'],
    content: [
      name === 'beta' &&
        html`<div class="notice warn"><div><p>For testing and development only: the latest stable version plus changes
under test. It may change without notice.</p></div></div>`,
      html`<h2 id="first-call">A first call</h2>`,
      html`<p>Put your key into the environment variable <code>PERIPLUS_KEY</code>. The
<a href="${linkTo(site, '/docs/guide')}">guide</a> shows how to stay within the limits and how to save units.</p>`,
      samples(callSamples({ publicUrl, path: `/locations/${placeId}`, query: { version: name } })),
      html`<h2 id="operations">Operations</h2>`,
      html`<div class="operations">
${groups.map(group => operationCard(group, reference))}</div>`,
      requests(reference),
      responses(reference),
      documents(reference),
    ],
  }
}

const operationCard = (
  { label, description, operations }: OperationGroup,
  { site, folder }: VersionReference,
): Html => html`<section class="card">
<h3>${label}</h3>
<p class="quiet">${description}</p>
<ul class="operation-list">
${operations.map(
  one => html`<li><a href="${linkTo(site, operationPath(folder, one.id))}">${one.summary}</a>
<code>${breakable(one.path)}</code> ${costBadge(one)}</li>\n`,
)}</ul>
</section>
`

const costBadge = ({ terms: { cost } }: ReferenceOperation): Html => badge(cost === 'free' ? 'good' : 'plain', cost)

function requests({ common, groups, name }: VersionReference): Html {
  const { schemas } = groups[0]!.operations[0]!
  return html`<h2 id="requests">All requests</h2>
<p>Operations are <code>GET</code>, where <code>HEAD</code> works as well, or <code>POST</code> with a JSON body. Send
the key as <code>X-API-Key</code> or as a bearer token. Send <code>version=${name}</code> with every request: a request
without a version gets the latest stable version, which changes over time. Parameters may be in any order. Names that
other APIs use for them are accepted as well; each parameter lists its own.</p>
${parameterList(common, schemas)}`
}

function responses({ headers, site }: VersionReference): Html {
  const statuses = [...new Set(Object.values(faults).map(({ status }) => status))].sort((a, b) => a - b)
  const titleOf = (status: number) => Object.values(faults).find(one => one.status === status)!.title
  const chip = (status: number) => {
    const label = html`<strong>${status}</strong> ${titleOf(status)}`
    return html`<li>${link(linkTo(site, `/docs/errors#status-${status}`), label)}</li>`
  }
  return html`<h2 id="responses">All responses</h2>
<p>Responses are JSON. A member without a value is absent, never null or empty. Ids are 64-bit integers: parse them as
strings or big integers where numbers hold 53 bits. Ignore members that you do not know. Bodies are compressed with br
or gzip if <code>Accept-Encoding</code> names one.</p>
<h3 id="headers">Headers</h3>
${table({
  caption: 'Headers of responses',
  rows: Object.entries(headers),
  columns: [
    { label: 'Header', kind: 'name', cell: ([header]) => html`<code>${header}</code>` },
    { label: 'Meaning', cell: ([, { description }]) => inlineCode(description) },
    { label: 'Example', cell: ([, { example }]) => html`<code>${example}</code>` },
  ],
})}
<h3 id="errors">Errors</h3>
<p>Every error is <code>application/problem+json</code>. <a href="${linkTo(site, '/docs/errors')}">All errors</a>
explains each code: its cause, what to do, and if a retry helps.</p>
<ul class="chips">${statuses.map(chip)}</ul>`
}

const documents = ({ versions, site }: VersionReference): HtmlValue => [
  html`<h2 id="documents">Documents for tools</h2>`,
  html`<p>OpenAPI 3.1, for generators and API clients:</p>`,
  html`<ul>
${versions.map(
  ({ document, label }) =>
    html`<li>${link(linkTo(site, `/openapi/${document}.json`), `${document}.json`)}, version ${label}</li>\n`,
)}<li><a href="${linkTo(site, '/openapi/feeds.json')}">feeds.json</a>, the feeds</li>
</ul>`,
]
