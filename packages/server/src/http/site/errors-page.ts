import { faults } from '../../domain/fault.ts'
import { html } from '../../web/html.ts'
import type { LayoutPage } from '../../web/layout.ts'

/** The page that the `type` of every problem links to: a table of all errors. */
export const errorsPage: LayoutPage = {
  title: 'Errors',
  path: '/docs/errors',
  content: html`<p>Every error is <code>application/problem+json</code> (RFC 9457). <code>message</code> is the general text
below, <code>detail</code> explains the individual error, <code>field_errors</code> lists the invalid parameters, and
<code>request_id</code> identifies the request when you contact the operator.</p>
<div class="table" role="region" aria-label="Errors" tabindex="0"><table><thead><tr><th>Code</th><th>Status</th><th>Text</th></tr></thead><tbody>
${Object.entries(faults).map(
  ([
    code,
    { status, title, text },
  ]) => html`<tr id="${code}"><td><code>${code}</code></td><td>${status} ${title}</td><td>${text}</td></tr>
`,
)}</tbody></table></div>
`,
}
