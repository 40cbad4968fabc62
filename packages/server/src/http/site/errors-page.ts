import { faults } from '../../domain/fault.ts'
import { escapeHtml, htmlPage } from './html.ts'

/** What the `type` of every problem leads to, made from the fault table. */
export function errorsPage(): string {
  const rows = Object.entries(faults).map(
    ([code, { status, title, text }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status} ${escapeHtml(title)}</td><td>${escapeHtml(text)}</td></tr>`,
  )
  return htmlPage({
    title: 'Errors · Periplus',
    root: '../',
    body: `<main>
<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). <code>message</code> is the public text below,
<code>detail</code> says what is wrong in the case at hand, <code>field_errors</code> names each parameter, and
<code>request_id</code> is what to quote to the operator.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Text</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
<p><a href="../">Back</a></p>
</main>`,
  })
}
