import { type FaultCode, fault, faults } from '../../../domain/fault.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { facts } from '../../../web/parts/facts.ts'
import { link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { table } from '../../../web/parts/table.ts'
import { inlineCode } from '../../../web/reference/fields.ts'
import { toProblem } from '../../wire/http-response.ts'
import { errorTexts, type Retry } from './error-texts.ts'
import type { VersionReference } from './reference.ts'

/** An error of the admin API, for the page of all errors. */
export interface AdminError {
  readonly code: string
  readonly status: number
  readonly cause: string
  readonly remedy: string
}

const retryTexts: Readonly<Record<Retry, HtmlValue>> = {
  no: 'No: the same request fails again.',
  wait: html`Yes, after the seconds in <code>Retry-After</code>.`,
  later: 'Yes, with growing delays.',
}

const partnerCodes = Object.keys(faults) as FaultCode[]
const isPartnerCode = (code: string): code is FaultCode => Object.hasOwn(faults, code)

/** Returns the page that the `type` of every problem links to; the anchors are the codes. */
export function errorsPage({ nav, publicUrl }: VersionReference, adminErrors: readonly AdminError[]): LayoutPage {
  const byStatus = Object.groupBy(partnerCodes, code => String(faults[code].status))
  const adminOnly = adminErrors.filter(({ code }) => !isPartnerCode(code))
  const chip = (status: string) =>
    html`<li>${link(`#status-${status}`, html`<strong>${status}</strong> ${titleOf(status)}`)}</li>`
  const adminChip = adminOnly.length > 0 && html`<li>${link('#admin-api', 'Admin API')}</li>`
  return {
    title: 'Errors',
    path: '/docs/errors',
    description: 'Every error with its cause, what to do about it, and if a retry helps.',
    nav,
    lead: html`Every error is <code>application/problem+json</code>. Its <code>type</code> is a link to the entry on
this page.`,
    scripts: ['docs-search.js', 'samples.js'],
    content: [
      membersTable,
      html`<ul class="chips">${Object.keys(byStatus).map(chip)}${adminChip}</ul>`,
      Object.entries(byStatus).map(
        ([status, codes = []]) => html`<h2 id="status-${status}">${status} ${titleOf(status)}</h2>
${codes.map(code => partnerError(code, { publicUrl, admin: adminErrors.find(one => one.code === code) }))}`,
      ),
      adminOnly.length > 0 &&
        html`<h2 id="admin-api">Errors of the admin API</h2>
<p>They have the members above and <code>code</code>. Codes that both interfaces share are explained above.</p>
${table({
  caption: 'Errors of the admin API',
  rows: adminOnly,
  columns: [
    { label: 'Code', kind: 'name', cell: ({ code }) => html`<code id="${code}">${code}</code>` },
    { label: 'Status', cell: ({ status }) => status },
    { label: 'Cause', cell: ({ cause }) => inlineCode(cause) },
    { label: 'What to do', cell: ({ remedy }) => inlineCode(remedy) },
  ],
})}`,
    ],
  }
}

const titleOf = (status: string): string => Object.values(faults).find(one => String(one.status) === status)!.title

const membersTable = table({
  caption: 'Members of an error',
  rows: [
    ['message', 'The general text of the error. It never changes, so that programs can compare it.'],
    ['detail', 'What happened in this case, and what to do about it.'],
    ['field_errors', 'All wrong parameters, each with `field`, `message` and `rejected_value`.'],
    ['violated-policies', 'The limits that the request exceeded.'],
    ['request_id', 'Quote it when you contact the operator. `GET /account/requests/{id}` explains the request.'],
  ],
  columns: [
    { label: 'Member', kind: 'name', cell: ([name]) => html`<code class="whole">${name}</code>` },
    { label: 'Meaning', cell: ([, text]) => inlineCode(text!) },
  ],
})

function partnerError(
  code: FaultCode,
  { publicUrl, admin }: { publicUrl: string; admin: AdminError | undefined },
): Html {
  const { cause, remedy, retry } = errorTexts[code]
  return html`<section class="card error-entry" id="${code}">
<div class="card-head"><h3><a href="#${code}"><code>${code}</code></a></h3>
${badge(retry === 'no' ? 'plain' : 'info', retry === 'no' ? 'do not retry' : 'retry')}</div>
<p>${faults[code].text}</p>
${facts([
  ['Cause', inlineCode(cause)],
  ['What to do', inlineCode(remedy)],
  ['Retry', retryTexts[retry]],
  ['In the admin API', admin && html`${admin.status}: ${inlineCode(admin.cause)} ${inlineCode(admin.remedy)}`],
])}
<details><summary>Example</summary>${codeBlock(exampleOf(code, publicUrl))}</details>
</section>
`
}

function exampleOf(code: FaultCode, publicUrl: string): string {
  const request = { id: '01938f4a-7c1e-7d3a-9b1f-2a6f0c4d8e11', path: '/locations/1?version=1', publicUrl }
  const fieldErrors = [{ field: 'size', message: 'must be from 1 to 20', rejectedValue: '50' }]
  const { body } = toProblem(fault(code, code === 'parameters_invalid' ? { fieldErrors } : {}), request)
  return JSON.stringify(JSON.parse(body!.toString()), null, 2)
}
