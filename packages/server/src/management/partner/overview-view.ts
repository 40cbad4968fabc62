import type { Key } from '../../domain/key.ts'
import type { LimitStatus } from '../../domain/limit-status.ts'
import type { CauseCounts } from '../../usecases/admin/count-causes.ts'
import type { PartnerNotice } from '../../usecases/admin/partner-notices.ts'
import type { PeriodReport } from '../../usecases/admin/report-usage.ts'
import { swatch } from '../../web/charts/legend.ts'
import { stackedBars } from '../../web/charts/stacked-bars.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { card, tiles } from '../../web/parts/facts.ts'
import { buttonLink } from '../../web/parts/link.ts'
import { livePart } from '../../web/parts/live.ts'
import { badge, emptyState } from '../../web/parts/notice.ts'
import { formatCount, formatNumber, formatPercent } from '../../web/parts/number.ts'
import { sameElsewhere } from '../../web/parts/same.ts'
import { table } from '../../web/parts/table.ts'
import { calendarDate } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PartnerRequest } from '../pages/page-route.ts'
import type { PageView } from '../pages/page-view.ts'
import { causesCard } from '../shared/causes-card.ts'
import { curlCall, firstTarget } from '../shared/first-call.ts'
import { limitMeters } from '../shared/limit-meters.ts'
import type { ChartedUsage, UsageLine } from '../shared/usage-series.ts'
import { noticeText } from './notices.ts'

/** A key and the state of its limits. */
export interface KeyLimits {
  readonly key: Key
  readonly status: LimitStatus
}

/** The contents of an overview with calls. */
export interface OverviewParts {
  readonly report: PeriodReport
  /** The span before. */
  readonly before: PeriodReport
  readonly dates: readonly string[]
  readonly limits: readonly KeyLimits[]
  /** Number of active keys whose limits are not shown. */
  readonly otherKeys: number
  readonly causes: CauseCounts
  readonly notices: readonly PartnerNotice[]
  readonly charted: ChartedUsage
}

const title = 'Overview'
const scripts = ['live.js', 'chart.js', 'samples.js']

/** Returns the overview of a partner that has calls. */
export function overviewView(context: ManagementContext, request: PartnerRequest, parts: OverviewParts): PageView {
  const { partner, site } = request
  const link = linkTo(site, `/portal/${partner.id}`)
  return {
    title,
    lead: 'Limits now, usage of 30 days and refusals of your keys.',
    scripts,
    content: [
      livePart('overview', [
        parts.notices.map(found => noticeText(found, request)),
        figures(parts),
        html`<h2>Limits
now</h2>`,
        parts.limits.map(limits => limitCard(context, request, limits)),
        parts.otherKeys > 0 &&
          html`<p>${formatCount(parts.otherKeys, 'more active key')}: <a href="${link}/keys">all keys</a>.</p>`,
        usageCard(link, parts),
        causesCard(parts.causes, {
          title: 'Refusals by cause',
          caption: 'Refused and failed calls by cause',
          requests: `${link}/requests`,
          zone: request.zone,
          empty: 'The request log has no refused calls.',
        }),
      ]),
      sameUsage(context, request),
    ],
  }
}

const sameUsage = ({ apiUrl }: ManagementContext, { partner }: PartnerRequest): Html =>
  sameElsewhere({
    cli: `periplus usage --partner ${partner.id} --by day,operation`,
    api: `GET /admin/v1/usage?partner_id=${partner.id}&by=day,operation`,
    account: `curl -H "X-API-Key: $PERIPLUS_KEY" "${apiUrl}/account"`,
  })

function figures({ report, before, dates }: OverviewParts): Html {
  const today = report.rows.filter(({ day }) => day === dates.at(-1))
  const sum = (name: 'calls' | 'units') => today.reduce((total, row) => total + row[name], 0)
  const change = before.units === 0 ? undefined : (report.units - before.units) / before.units
  return tiles([
    { label: 'Units today', value: formatNumber(sum('units')), note: formatCount(sum('calls'), 'call') },
    {
      label: 'Units in 30 days',
      value: formatNumber(report.units),
      note:
        change === undefined
          ? 'The first 30 days'
          : `${formatPercent(Math.abs(change))} ${change < 0 ? 'less' : 'more'} than before`,
    },
    {
      label: 'Calls in 30 days',
      value: formatNumber(report.calls),
      note: `${formatNumber(Math.round(report.calls / dates.length))} a day`,
    },
  ])
}

function limitCard(
  { admin: { packageTable } }: ManagementContext,
  { zone, nowMs, partner, site }: PartnerRequest,
  { key, status }: KeyLimits,
): Html {
  const name = html`<a href="${linkTo(site, `/portal/${partner.id}/keys/${key.id}`)}">${key.name ?? key.id}</a>`
  const actions = [
    key.agreement.subject === 'partner' && badge('plain', 'shared by all keys'),
    key.test ? badge('plain', 'test') : badge('info', key.packageName),
  ]
  return card(name, limitMeters({ key, status, packageTable, zone, nowMs }), { actions })
}

function usageCard(link: string, { charted: { series, lines }, dates }: OverviewParts): Html {
  const labels = dates.map(date => calendarDate(date, 'short'))
  const sums = table<UsageLine>({
    caption: 'Units in 30 days by operation',
    columns: [
      { label: 'Operation', kind: 'name', cell: ({ hue, label }) => html`<span>${swatch(hue)}${label}</span>` },
      { label: 'Calls', kind: 'number', cell: ({ calls }) => formatNumber(calls) },
      { label: 'Units', kind: 'number', cell: ({ units }) => formatNumber(units) },
    ],
    rows: lines.slice(0, series.length),
  })
  return card('Units per day', html`${stackedBars({ title: 'Units per day', unit: 'units', labels, series })}${sums}`, {
    actions: html`<a href="${link}/usage">All usage</a>`,
  })
}

/** Returns the overview of a partner without keys. */
export function noKeysView({ partner, site, may }: PartnerRequest): PageView {
  const same = sameElsewhere({ cli: `periplus keys create --partner ${partner.id} --test`, api: 'POST /admin/v1/keys' })
  const link = linkTo(site, `/portal/${partner.id}/keys/new`)
  return {
    title,
    content: [
      emptyState(
        'Create a test key',
        may('own:explore')
          ? [
              html`<p>A test key costs nothing and may make 1,000 units of calls a day.</p>`,
              html`<p>${buttonLink(link, 'Create a test key', { kind: 'primary' })}</p>`,
            ]
          : html`<p>This partner has no keys. Its users can create a test key here.</p>`,
        'key',
      ),
      same,
    ],
  }
}

/** Returns the overview of a partner whose keys have made no call. */
export function noCallsView(
  context: ManagementContext,
  request: PartnerRequest,
  { keys, notices }: { readonly keys: readonly Key[]; readonly notices: readonly PartnerNotice[] },
): PageView {
  const { site, partner } = request
  const account = `curl -H "X-API-Key: $PERIPLUS_KEY" "${context.apiUrl}/account"`
  const calls = [firstTarget, '/catalog/locations/search?query=hotel'].map(target => curlCall(context, target))
  const lines = [account, ...calls]
  const name = (key: Key): HtmlValue =>
    html`<a href="${linkTo(site, `/portal/${partner.id}/keys/${key.id}`)}">${key.name ?? key.id}</a>`
  return {
    title,
    scripts,
    content: [
      livePart('overview', [
        notices.map(found => noticeText(found, request)),
        emptyState(
          'Waiting for the first call',
          [
            html`<p>This page changes when it arrives. Put the secret of
${keys.length === 1 ? name(keys[0]!) : 'one of your keys'} in the environment, then try:</p>`,
            codeBlock(['export PERIPLUS_KEY=…', ...lines].join('\n')),
          ],
          'broadcast',
        ),
      ]),
      sameUsage(context, request),
    ],
  }
}
