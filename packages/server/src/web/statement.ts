import { createHash } from 'node:crypto'
import type { PricedStatement } from '../domain/usage-report.ts'
import { toLocalDate } from '../kit/time.ts'
import { Html, html, type RenderedPage } from './html.ts'

const style = new Html(`
  :root { color-scheme: light; font: 11pt/1.5 system-ui, sans-serif; color: #111; background: #fff }
  body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 1.6rem; margin: 0 0 1rem }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.5rem; margin: 0 0 1.5rem }
  dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere }
  table { width: 100%; border-collapse: collapse; margin: 0 0 1.5rem }
  caption { text-align: left; font-weight: 600; padding: .3rem 0 }
  th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid #ccc; overflow-wrap: anywhere }
  .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
  tfoot th, tfoot td { border-bottom: 0; border-top: 2px solid #111; font-weight: 600 }
  tr { break-inside: avoid } thead { display: table-header-group }
  @page { margin: 2cm } @media print { body { margin: 0; max-width: none; padding: 0 } }
`)

const formatNumber = new Intl.NumberFormat('en').format
const formatMonth = (month: string): string =>
  Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 }).toLocaleString('en', { month: 'long', year: 'numeric' })

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style.text).digest('base64')}'`

/** Returns a statement as a page to print, complete in itself. */
export const statementPage = (statement: PricedStatement): RenderedPage => ({ text: statementText(statement), policy })

function statementText(statement: PricedStatement): string {
  const { partnerName, partnerId, month, timeZone, fromMs, toMs, closed, prices } = statement
  const title = `Statement for ${formatMonth(month)}`
  const dates = `${toLocalDate(fromMs, timeZone)} to ${toLocalDate(toMs - 1, timeZone)} (${timeZone})`
  const countedTo = new Date(statement.countedToMs).toISOString().slice(0, 19)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}, ${partnerName}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<dl>
<dt>Partner</dt><dd>${partnerName}</dd>
<dt>Partner id</dt><dd>${partnerId}</dd>
<dt>Period</dt><dd>${dates}</dd>
<dt>State</dt><dd>${closed ? 'Closed' : `So far: counted up to ${countedTo} UTC`}</dd>
</dl>
${linesTable(statement)}
${prices.length > 0 ? pricesTable(statement) : undefined}
<p>Refused and failed calls, and calls with test keys, are not billed.</p>
</body>
</html>
`.text
}

const linesTable = ({ lines, calls, units, keyNames }: PricedStatement): Html => html`<table>
<caption>Billable units by key and operation</caption>
<thead><tr><th scope="col">Key</th><th scope="col">Name</th><th scope="col">Operation</th>
<th scope="col" class="number">Calls</th><th scope="col" class="number">Units</th></tr></thead>
<tbody>${
  lines.length > 0
    ? lines.map(
        line => html`<tr><td>${line.key}</td><td>${keyNames.get(line.key)}</td><td>${line.operation}</td>
<td class="number">${formatNumber(line.calls)}</td><td class="number">${formatNumber(line.units)}</td></tr>
`,
      )
    : html`<tr><td colspan="5">No billable calls.</td></tr>`
}</tbody>
<tfoot><tr><th scope="row" colspan="3">Total</th>
<td class="number">${formatNumber(calls)}</td><td class="number">${formatNumber(units)}</td></tr></tfoot>
</table>`

const pricesTable = ({ prices }: PricedStatement): Html => html`<table>
<caption>Prices</caption>
<thead><tr><th scope="col">Package</th><th scope="col">Price</th><th scope="col" class="number">Units</th></tr></thead>
<tbody>${prices.map(
  row => html`<tr><td>${row.package}</td><td>${row.price}</td><td class="number">${formatNumber(row.units)}</td></tr>
`,
)}</tbody>
</table>`
