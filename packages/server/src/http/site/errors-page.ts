import { faults } from '../../domain/fault.ts'
import { escapeHtml, renderHtmlPage } from './html.ts'

/** Returns the page that the `type` of every problem links to: a table of all errors. */
export function renderErrorsPage(): string {
  const rows = Object.entries(faults).map(
    ([code, { status, title, text }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status} ${escapeHtml(title)}</td><td>${escapeHtml(text)}</td></tr>`,
  )
  return renderHtmlPage({
    title: 'Errors · Periplus',
    root: '../',
    body: `<main>
<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). <code>message</code> is the general text below,
<code>detail</code> explains the individual error, <code>field_errors</code> lists the invalid parameters, and
<code>request_id</code> identifies the request when you contact the operator.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Text</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
<p><a href="../">Back</a></p>
</main>`,
  })
}
