import type { Key } from '../../domain/key.ts'
import { sortRows } from '../../domain/list-order.ts'
import { formatDateTime } from '../../resources/schema.ts'
import { type BucketForecast, forecastDays } from '../../usecases/admin/forecast-usage.ts'
import type { PeriodReport } from '../../usecases/admin/report-usage.ts'
import { swatch } from '../../web/charts/legend.ts'
import { stackedBars } from '../../web/charts/stacked-bars.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { card, type Tile, tiles } from '../../web/parts/facts.ts'
import { livePart } from '../../web/parts/live.ts'
import { emptyState } from '../../web/parts/notice.ts'
import { formatCount, formatNumber, formatPercent } from '../../web/parts/number.ts'
import { toQuery } from '../../web/parts/pager.ts'
import { sameElsewhere } from '../../web/parts/same.ts'
import type { TableOrder } from '../../web/parts/sort-head.ts'
import { table } from '../../web/parts/table.ts'
import { calendarDate, formatDuration } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { PageRequest } from '../pages/page-route.ts'
import type { PageView } from '../pages/page-view.ts'
import { exportLinks } from './export.ts'
import { keyName } from './key-parts.ts'
import { timesOf, usageQuery } from './usage-filter.ts'
import { dimensionLabels, periodPresets, type UsageFilterParts, usageFilterForm } from './usage-filter-form.ts'
import { type ChartedUsage, lineOrders, type UsageLine } from './usage-series.ts'

/** The differences between the portal and the console. */
export interface UsagePageShape {
  readonly lead: string
  /** Partner to which the page is bound. */
  readonly partnerId?: string
  readonly dimensions: UsageFilterParts['shape']['dimensions']
  /** Shown above the chart. */
  readonly extra?: HtmlValue
}

/** The contents of the page of usage. */
export interface UsageParts extends UsageFilterParts {
  readonly shape: UsagePageShape
  readonly report: PeriodReport
  /** The sums of the span before. */
  readonly before: PeriodReport
  readonly charted: ChartedUsage
  /** Order of the sums. */
  readonly order: TableOrder
  readonly forecast: readonly BucketForecast[]
  /** Public URL of the partner API. */
  readonly apiUrl: string
  /** Command that makes a first call. */
  readonly firstCall: string
}

/** Returns the page of usage. */
export function usageView(request: PageRequest, parts: UsageParts): PageView {
  const { filter, shape, report, errors, order } = parts
  const link = linkTo(request.site, request.path)
  return {
    ...(Object.keys(errors).length > 0 && { status: 400 }),
    title: 'Usage',
    lead: shape.lead,
    actions: exportLinks(link, usageQuery(filter)),
    scripts: ['chart.js', 'live.js', 'samples.js'],
    content: [
      periodPresets(order, parts),
      usageFilterForm(order, parts),
      livePart('usage', [shape.extra, report.calls === 0 ? noCalls(parts) : usageContent(parts)]),
      sameElsewhere(otherWays(request, parts)),
    ],
  }
}

function usageContent(parts: UsageParts): Html {
  const { filter, dates, charted, forecast } = parts
  const title = `${filter.show === 'units' ? 'Units' : 'Calls'} per day`
  const labels = dates.map(date => calendarDate(date, 'short'))
  return html`${tiles(figures(parts))}${card(
    title,
    html`${stackedBars({ title, labels, unit: filter.show, series: charted.series })}${sumsTable(parts)}
<details><summary>Each day as a table</summary>${daysTable(parts)}</details>
`,
  )}${forecastCard(forecast)}`
}

function figures({ report, before, dates }: UsageParts): Tile[] {
  return [
    { label: 'Units', value: formatNumber(report.units), note: comparison(report.units, before.units, dates.length) },
    { label: 'Calls', value: formatNumber(report.calls), note: comparison(report.calls, before.calls, dates.length) },
    { label: 'Billable units', value: formatNumber(report.billableUnits), note: 'Without test keys' },
    { label: 'Units a day', value: formatNumber(Math.round(report.units / dates.length)), note: 'On average' },
  ]
}

/** Compares a sum with that of the span before: "12 % more than the 30 days before". */
function comparison(now: number, before: number, days: number): string {
  const span = days === 1 ? 'the day before' : `the ${days} days before`
  if (before === 0) return `0 in ${span}`
  if (now === before) return `As many as ${span}`
  return `${formatPercent(Math.abs(now - before) / before)} ${now > before ? 'more' : 'less'} than ${span}`
}

function sumsTable({ charted: { lines }, report, filter, order }: UsageParts): HtmlValue {
  const total = report[filter.show]
  return table<UsageLine>({
    caption: `Sums by ${filter.by}`,
    order,
    columns: [
      {
        label: dimensionLabels[filter.by],
        kind: 'name',
        sort: 'name',
        cell: ({ hue, label }) => html`<span>${swatch(hue)}${label}</span>`,
      },
      { label: 'Calls', kind: 'number', sort: 'calls', cell: ({ calls }) => formatNumber(calls) },
      { label: 'Units', kind: 'number', sort: 'units', cell: ({ units }) => formatNumber(units) },
      {
        label: 'Billable units',
        kind: 'number',
        sort: 'billable',
        cell: ({ billableUnits }) => formatNumber(billableUnits),
      },
      { label: 'Share', kind: 'number', cell: line => formatPercent(total === 0 ? 0 : line[filter.show] / total) },
    ],
    rows: sortRows(lines, order.current, lineOrders),
    foot: ['Total', formatNumber(report.calls), formatNumber(report.units), formatNumber(report.billableUnits), ''],
  })
}

function daysTable({ charted: { series }, dates, filter }: UsageParts): HtmlValue {
  const rows = dates.map((date, i) => ({ date, values: series.map(({ values }) => values[i]!) })).toReversed()
  return table<(typeof rows)[number]>({
    caption: `${filter.show === 'units' ? 'Units' : 'Calls'} of each day`,
    columns: [
      {
        label: 'Day',
        kind: 'name',
        cell: ({ date }) => html`<time datetime="${date}">${calendarDate(date, 'day')}</time>`,
      },
      ...series.map(({ label }, i) => ({
        label,
        kind: 'number' as const,
        cell: ({ values }: (typeof rows)[number]) => formatNumber(values[i]!),
      })),
      {
        label: 'Total',
        kind: 'number',
        cell: ({ values }) => formatNumber(values.reduce((sum, value) => sum + value, 0)),
      },
    ],
    rows,
  })
}

/** Maximum number of quotas in the forecast, those nearest to their end first. */
const maxForecasts = 20

/** Returns the forecast of each quota that was used; undefined if no quota is limited. */
function forecastCard(forecast: readonly BucketForecast[]): HtmlValue {
  if (forecast.length === 0) return undefined
  const used = forecast.filter(({ peak }) => peak > 0)
  const others = used.length - maxForecasts
  const unused = forecast.length - used.length
  return card('Forecast', [
    table<BucketForecast>({
      caption: 'Quotas, the one nearest to its end first',
      columns: [
        { label: 'Limits of', kind: 'name', cell: ({ keys }) => subjectName(keys) },
        {
          label: 'Quota',
          cell: ({ bucket, quota }) => `${formatNumber(quota)} ${bucket === 'package' ? '' : 'search '}units a day`,
        },
        {
          label: 'Average of 7 days',
          kind: 'number',
          cell: ({ average, quota }) =>
            html`${formatNumber(Math.round(average))} <span class="quiet">${formatPercent(average / quota)}</span>`,
        },
        { label: `Busiest of ${forecastDays} days`, kind: 'number', cell: ({ peak }) => formatNumber(peak) },
        { label: 'Forecast', cell: outlookOf },
      ],
      rows: used.slice(0, maxForecasts),
      empty: html`<p class="quiet">No quota was used in ${forecastDays} days.</p>`,
    }),
    others > 0 &&
      html`<p class="quiet small">${formatCount(others, 'quota')} with less use. Choose a key for its own.</p>`,
    used.length > 0 &&
      html`<p class="quiet small">An estimate from full days. A quota counts 24 hours from the first charged call.
${unused > 0 && `${formatCount(unused, 'quota')} without use in ${forecastDays} days ${unused === 1 ? 'is' : 'are'} left out.`}</p>`,
  ])
}

const subjectName = (keys: readonly Key[]): string =>
  keys.length === 1 ? keyName(keys[0]!) : `${formatCount(keys.length, 'key')} together`

function outlookOf({ average, quota, daysLeft }: BucketForecast): string {
  if (average >= quota) return 'Used up on an average day'
  if (daysLeft === undefined) return 'Not within half a year'
  return `A day reaches it in about ${formatDuration(daysLeft * 86_400_000)}`
}

function noCalls({ filter, firstCall, shape, before }: UsageParts): HtmlValue {
  const isWhole = shape.partnerId === undefined && filter.partnerId === undefined && filter.keyId === undefined
  return emptyState(
    isWhole && before.calls === 0
      ? 'No calls yet'
      : `No calls from ${calendarDate(filter.from, 'short')} to ${calendarDate(filter.to, 'short')}`,
    html`<p>Choose a longer period, or make a first call:</p>${codeBlock(firstCall)}`,
    'bar-chart',
  )
}

/** Returns the command and the calls for the same report. */
function otherWays({ nowMs }: PageRequest, { filter, shape, apiUrl, keys }: UsageParts) {
  const { fromMs, toMs } = timesOf(filter, nowMs)
  const period = { from: formatDateTime(fromMs), ...(toMs !== undefined && { to: formatDateTime(toMs) }) }
  const partner = shape.partnerId ?? filter.partnerId
  const { by, zone: tz } = filter
  const flags = Object.entries({ partner, key: filter.keyId, ...period, by: `day,${by}`, tz })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${name} ${value}`)
  const same = { ...period, by: `day,${by}`, tz }
  return {
    cli: ['periplus usage', ...flags].join(' '),
    api: `GET /admin/v1/usage${toQuery({ partner_id: partner, key_id: filter.keyId, ...same })}`,
    ...(keys &&
      by !== 'key' && { account: `curl -H "X-API-Key: $PERIPLUS_KEY" "${apiUrl}/account/usage${toQuery(same)}"` }),
  }
}
