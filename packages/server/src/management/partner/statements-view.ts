import type { PackagePrice, PricedStatement, StatementLine } from '../../domain/usage-report.ts'
import { toLocalDate } from '../../kit/time.ts'
import type { StatementMonth } from '../../usecases/admin/list-months.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { card, facts } from '../../web/parts/facts.ts'
import { buttonLink } from '../../web/parts/link.ts'
import { badge, emptyState } from '../../web/parts/notice.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { sameElsewhere } from '../../web/parts/same.ts'
import { table } from '../../web/parts/table.ts'
import { calendarDate, time } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { PartnerRequest } from '../pages/page-route.ts'
import type { PageView } from '../pages/page-view.ts'

const stateOf = (closed: boolean): Html => (closed ? badge('good', 'closed') : badge('info', 'so far'))

/** Returns the list of months. */
export function monthsView(
  { partner, site }: PartnerRequest,
  { months, timeZone }: { readonly months: readonly StatementMonth[]; readonly timeZone: string },
): PageView {
  const link = linkTo(site, `/portal/${partner.id}/statements`)
  const [current] = months
  const isEmpty = months.every(({ billableUnits }) => billableUnits === 0)
  const list = table<StatementMonth>({
    caption: 'Statements by month',
    columns: [
      {
        label: 'Month',
        kind: 'name',
        cell: ({ month }) => html`<a href="${link}/${month}">${calendarDate(month, 'month')}</a>`,
      },
      { label: 'State', cell: ({ closed }) => stateOf(closed) },
      { label: 'Billable units', kind: 'number', cell: ({ billableUnits }) => formatNumber(billableUnits) },
      {
        label: 'Actions',
        kind: 'actions',
        cell: ({ month }) =>
          html`<a href="${link}/${month}?format=csv" aria-label="CSV of ${calendarDate(month, 'month')}">CSV</a>`,
      },
    ],
    rows: months,
  })
  const first = emptyState(
    `The first month closes on ${time(current!.closesMs, timeZone, 'day').text.replace(/<[^>]*>/g, '')}`,
    [
      html`<p>Each call that is served counts its units. Refused and failed calls, and calls with test keys, are not
billed.</p>`,
      html`<p><a href="${link}/${current!.month}">${calendarDate(current!.month, 'month')} so far</a></p>`,
    ],
    'receipt',
  )
  return {
    title: 'Statements',
    lead: html`The units to bill for each month. Months begin at midnight in ${timeZone}.`,
    scripts: ['samples.js'],
    content: [isEmpty ? first : list, sameElsewhere(otherWays(partner.id, current!.month))],
  }
}

const otherWays = (partnerId: string, month: string) => ({
  cli: `periplus usage statement --partner ${partnerId} --month ${month}`,
  api: `GET /admin/v1/statements/${partnerId}/${month}`,
})

/** Returns the statement of a month, which can be printed. */
export function statementView({ partner, site, path }: PartnerRequest, statement: PricedStatement): PageView {
  const { month, timeZone, fromMs, toMs, closed, countedToMs, prices } = statement
  const day = (ms: number) => calendarDate(toLocalDate(ms, timeZone), 'day')
  const period = `${day(fromMs)} to ${day(toMs - 1)} (${timeZone})`
  return {
    title: `Statement for ${calendarDate(month, 'month')}`,
    trail: [{ path: `/portal/${partner.id}/statements`, label: 'Statements' }],
    actions: [
      buttonLink(linkTo(site, `${path}?format=csv`), 'Export CSV'),
      ' ',
      buttonLink(linkTo(site, `${path}?format=json`), 'JSON'),
    ],
    scripts: ['samples.js'],
    content: [
      facts([
        ['Partner', html`${statement.partnerName} <span class="quiet">${statement.partnerId}</span>`],
        ['Period', period],
        [
          'State',
          closed ? stateOf(true) : html`${stateOf(false)} counted up to ${time(countedToMs, timeZone, 'second')}`,
        ],
        ['Billable units', html`<strong>${formatNumber(statement.units)}</strong>`],
      ]),
      card('Units by key and operation', linesTable(statement)),
      prices.length > 0 && card('Prices', pricesTable(prices)),
      html`<p class="quiet">Refused and failed calls, and calls with test keys, are not billed.</p>`,
      sameElsewhere(otherWays(partner.id, month)),
    ],
  }
}

const linesTable = ({ lines, keyNames, calls, units }: PricedStatement): HtmlValue =>
  table<StatementLine>({
    caption: 'Billable units by key and operation',
    columns: [
      {
        label: 'Key',
        kind: 'name',
        cell: ({ key }) => html`${keyNames.get(key)} <span class="datum id">${key}</span>`,
      },
      { label: 'Operation', cell: ({ operation }) => operation },
      { label: 'Calls', kind: 'number', cell: line => formatNumber(line.calls) },
      { label: 'Units', kind: 'number', cell: line => formatNumber(line.units) },
    ],
    rows: lines,
    empty: html`<p class="quiet">No billable calls in this month.</p>`,
    foot: ['Total', '', formatNumber(calls), formatNumber(units)],
  })

const pricesTable = (prices: readonly PackagePrice[]): HtmlValue =>
  table<PackagePrice>({
    caption: 'Prices',
    columns: [
      { label: 'Package', kind: 'name', cell: row => row.package },
      { label: 'Price', cell: ({ price }) => price },
      { label: 'Units', kind: 'number', cell: ({ units }) => formatNumber(units) },
    ],
    rows: prices,
  })
