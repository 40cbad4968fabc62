import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { codeBlock, samples } from '../../../web/parts/code.ts'
import { facts } from '../../../web/parts/facts.ts'
import { link } from '../../../web/parts/link.ts'
import { badge, notice } from '../../../web/parts/notice.ts'
import { callForm } from '../../../web/reference/call-form.ts'
import { fieldTree, inlineCode, parameterList } from '../../../web/reference/fields.ts'
import { exampleValues, type ReferenceOperation, toCall } from '../../../web/reference/operations.ts'
import { typeText } from '../../../web/reference/schema-text.ts'
import { callSamples } from '../../../web/samples.ts'
import { linkTo, type Site } from '../../../web/site.ts'
import { operationPath } from './docs-nav.ts'
import type { VersionReference } from './reference.ts'
import { versionMenu } from './version-menu.ts'

/** Returns the page of an operation: terms, parameters and fields, next to samples and a form that sends the call. */
export function operationPage(operation: ReferenceOperation, reference: VersionReference): LayoutPage {
  const { site, nav, folder } = reference
  return {
    title: operation.summary,
    path: operationPath(folder, operation.id),
    description: operation.description.replaceAll('`', ''),
    nav,
    actions: operation.version?.required ? versionMenu(reference, operation.id) : undefined,
    lead: inlineCode(operation.description),
    scripts: ['samples.js', 'call.js', 'docs-search.js'],
    content: html`<div class="operation">
<div class="operation-text">
<p class="endpoint"><span class="method">${operation.method}</span> <code>${operation.path}</code></p>
${operation.deprecated && deprecationNotice(site)}${terms(operation, reference)}
${parameters(operation, reference)}
${requestBody(operation)}${response(operation)}
<h2 id="errors">Errors</h2>
<p>Errors are problem documents with a code of their own. <a href="${linkTo(site, '/docs/errors')}">All errors, with
what to do about them</a>.</p>
</div>
<div class="operation-code">
${requestSamples(operation, reference)}
<details class="card try" id="try"><summary>Try it with your key</summary>
<noscript><p>This form needs JavaScript. The samples above work anywhere.</p></noscript>
${callForm({
  operation,
  apiUrl: linkTo(site, '/'),
  version: operation.version?.required ? reference.name : undefined,
  headers: reference.headers,
  keyFields: [keyField],
})}</details>
${operation.example !== undefined && codeBlock(JSON.stringify(operation.example, null, 2), 'Example response')}
</div>
</div>`,
  }
}

const deprecationNotice = (site: Site): Html =>
  notice(
    'warn',
    html`<p>This endpoint is deprecated in this version. ${link(linkTo(site, '/docs/versions'), 'See the dates')}.</p>`,
  )

const keyField = {
  name: 'key',
  label: 'API key',
  type: 'password',
  hint: 'Stays in this tab. The call is counted and charged as any other.',
  autocomplete: 'off',
} as const

const terms = ({ terms: { cost, permission, limits }, id }: ReferenceOperation, { site }: VersionReference): Html =>
  facts([
    ['Cost', html`${badge(cost === 'free' ? 'good' : 'info', cost)}`],
    ['Limits', html`${limits} <a href="${linkTo(site, '/docs/limits')}">Limits</a>`],
    ['Permission', permission === undefined ? 'every key' : html`<code>${permission}</code>`],
    ['Operation', html`<code>${id}</code>`],
  ])

function parameters(operation: ReferenceOperation, { site, folder }: VersionReference): Html {
  const { parameters: own, version, schemas } = operation
  const common = html`<p class="quiet">Every request also takes ${
    version &&
    html`<code>version</code> and
`
  }<code>strict</code>: <a href="${linkTo(site, `/docs${folder}`)}#requests">common parameters</a>.</p>`
  return html`<h2 id="parameters">Parameters</h2>
${
  own.length > 0
    ? parameterList(
        own.toSorted((a, b) => Number(b.required) - Number(a.required)),
        schemas,
      )
    : html`<p>None of its own.</p>`
}${common}`
}

const requestBody = ({ body, schemas }: ReferenceOperation): HtmlValue =>
  body && [
    html`<h2 id="body">Body</h2>
<p class="quiet">${typeText(body.schema, schemas)}, as <code>application/json</code>; members marked
<span class="badge plain">always</span> are required.</p>`,
    fieldTree(body.schema, schemas),
  ]

const response = ({ response: schema, schemas }: ReferenceOperation): HtmlValue => [
  html`<h2 id="response">Response</h2>`,
  schema
    ? [
        html`<p class="quiet">Members marked <span class="badge plain">always</span> are in every response; others are
absent if they have no value.</p>`,
        fieldTree(schema, schemas),
      ]
    : html`<p>The file as stored. Range requests are supported.</p>`,
]

function requestSamples(operation: ReferenceOperation, { publicUrl }: VersionReference): Html {
  const values = exampleValues(operation)
  const file = operation.response === undefined ? values.name : undefined
  return samples(callSamples({ publicUrl, ...toCall(operation, values), ...(file !== undefined && { file }) }))
}
