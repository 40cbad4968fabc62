import { computeGrant } from '../../../access/grant.ts'
import { limitNames } from '../../../domain/agreement.ts'
import type { AuditPage } from '../../../domain/audit-log.ts'
import type { Key } from '../../../domain/key.ts'
import type { PackageTable, Quota } from '../../../domain/package.ts'
import type { Partner, PartnerNote } from '../../../domain/partner.ts'
import type { CallPage, LoggedCall } from '../../../domain/request-log.ts'
import type { UpgradeRequest } from '../../../domain/upgrade.ts'
import type { PricedStatement, UsageReportLine } from '../../../domain/usage-report.ts'
import type { User } from '../../../domain/user.ts'
import type { KeyPeaks, PeakDay } from '../../../usecases/admin/peak-use.ts'
import type { PeriodReport } from '../../../usecases/admin/report-usage.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card, facts, tiles } from '../../../web/parts/facts.ts'
import { form } from '../../../web/parts/form.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { compactNumber, count, number, percent } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { causeOf, httpStatusBadge } from '../../shared/causes.ts'
import { keyKind, keyName, keyState, packageText, scopeText } from '../../shared/key-parts.ts'
import { limitTexts } from '../../shared/terms-fields.ts'
import { actorName, timeline } from '../../shared/timeline.ts'
import { dayText, lastDayOf } from './list.ts'

/** A partner with everything that belongs to it. */
export interface PartnerView {
  readonly partner: Partner
  readonly keys: readonly Key[]
  readonly users: readonly User[]
  /** All users, to name the actors. */
  readonly everybody: readonly User[]
  /** Open upgrade requests. */
  readonly upgrades: readonly UpgradeRequest[]
  readonly notes: readonly PartnerNote[]
  /** Usage of the last 30 days by operation. */
  readonly report: PeriodReport
  readonly peaks: ReadonlyMap<string, KeyPeaks>
  readonly calls: CallPage
  readonly changes: AuditPage
  /** Statements of the present month and the two before. */
  readonly statements: readonly PricedStatement[]
  readonly packageTable: PackageTable
}

const pathOf = ({ partner }: PartnerView, path = ''): string => `/console/partners/${partner.id}${path}`

/** Returns the figures at the top. */
export function summary({ partner, keys, report, users }: PartnerView, _request: PageRequest): Html {
  const live = keys.filter(({ state, test }) => state !== 'revoked' && !test).length
  return tiles([
    { label: 'Units in 30 days', value: compactNumber(report.units), note: count(report.calls, 'call') },
    { label: 'Live keys', value: live, note: `the partner may create ${partner.liveKeysMax}` },
    { label: 'Users', value: users.length },
    { label: 'Last call', value: dayText(lastDayOf(keys)), note: 'Day in UTC' },
  ])
}

/** Returns the keys with the peak of each daily quota. */
export function keysCard(view: PartnerView, { site, may, zone, nowMs }: PageRequest): Html {
  const { keys, peaks, packageTable, partner } = view
  const quotas = (key: Key) => computeGrant(key, packageTable).limits
  const columns: Column<Key>[] = [
    {
      ...{ label: 'Key', kind: 'name' },
      cell: key => link(linkTo(site, pathOf(view, `/keys/${key.id}`)), keyName(key)),
    },
    { label: 'Kind', cell: keyKind },
    { label: 'Package', cell: packageText },
    { label: 'Peak day, units', cell: key => peak(peaks.get(key.id)?.quota, quotas(key).quota.value) },
    { label: 'Peak day, searches', cell: key => peak(peaks.get(key.id)?.searchQuota, quotas(key).searchQuota.value) },
    { label: 'Last used', cell: ({ lastUse }) => dayText(lastUse?.day) },
    { label: 'Ends', cell: ({ expiresMs }) => expiresMs !== undefined && time(expiresMs, zone, 'day') },
    { label: 'State', cell: key => keyState(key, nowMs) },
  ]
  const canCreate = may('keys:write') && partner.state === 'open'
  return card(
    'Keys',
    table({
      caption: 'Keys',
      columns,
      rows: keys,
      empty: html`<p class="quiet">No keys yet. A key is what the partner sends with its calls.</p>`,
    }),
    canCreate ? { actions: buttonLink(linkTo(site, pathOf(view, '/keys/new')), 'New key', { kind: 'primary' }) } : {},
  )
}

const peak = (day: PeakDay | undefined, quota: Quota): HtmlValue =>
  day && [number(day.units), quota !== 'unlimited' && html` <span class="quiet">(${percent(day.units / quota)})</span>`]

/** Returns the terms for the keys that the partner makes itself. */
export function termsCard(view: PartnerView, { site, may, zone }: PageRequest): Html {
  const { partner } = view
  const { agreement } = partner
  const agreed = limitNames.filter(limit => agreement[limit] !== undefined)
  const list = facts([
    ['Name', partner.name],
    ['Contact', partner.email],
    ['Id in your systems', partner.externalRef],
    ['Package', partner.packageName ?? 'Not set: the partner cannot create live keys'],
    ['Live keys', `at most ${partner.liveKeysMax}`],
    ...agreed.map(limit => [limitTexts[limit].label, `${agreement[limit]} (${limitTexts[limit].hint})`] as const),
    ['Limits count for', agreement.subject === 'partner' && 'all keys of the partner together'],
    ['Scope', scopeText(partner.scope) ?? 'All places'],
    ['Time zone', partner.zone ?? 'UTC'],
    ['Since', time(partner.createdMs, zone, 'day')],
  ])
  const edit = buttonLink(linkTo(site, pathOf(view, '/edit')), 'Edit terms')
  return card('Terms for keys that the partner creates', list, may('partners:write') ? { actions: edit } : {})
}

/** Returns the users of the partner. */
export function usersCard(view: PartnerView, { site, may, zone }: PageRequest): Html {
  const { partner, users } = view
  const columns: Column<User>[] = [
    {
      ...{ label: 'Name', kind: 'name' },
      cell: ({ id, name, email }) => link(linkTo(site, `/console/staff/${id}`), name ?? email),
    },
    { label: 'E-mail', cell: ({ email }) => email },
    { label: 'Role', cell: ({ memberships }) => memberships.find(({ partnerId }) => partnerId === partner.id)?.role },
    { label: 'Second factor', cell: ({ factors }) => (factors.totp || factors.passkeys > 0 ? 'Yes' : 'No') },
    {
      label: 'Last sign-in',
      cell: ({ lastSignInMs }) =>
        lastSignInMs === undefined ? html`<span class="quiet">Never</span>` : time(lastSignInMs, zone),
    },
    {
      label: 'State',
      cell: ({ state }) => (state === 'active' ? badge('good', 'Active') : badge('warn', 'Disabled')),
    },
  ]
  const empty = html`<p class="quiet">No users yet. An invited admin looks after keys, plan and team of the
partner.</p>`
  const invite = buttonLink(linkTo(site, pathOf(view, '/invite')), 'Invite user')
  const canInvite = may('users:write') && partner.state === 'open'
  return card('Users', table({ caption: 'Users', columns, rows: users, empty }), canInvite ? { actions: invite } : {})
}

/** Returns the usage of the last 30 days by operation. */
export function usageCard(view: PartnerView, { site }: PageRequest): Html {
  const { report, partner } = view
  const rows = report.rows.toSorted((a, b) => b.units - a.units || b.calls - a.calls)
  const columns: Column<UsageReportLine>[] = [
    { label: 'Operation', kind: 'name', cell: ({ operation }) => operation },
    { label: 'Calls', kind: 'number', cell: ({ calls }) => number(calls) },
    { label: 'Units', kind: 'number', cell: ({ units }) => number(units) },
    { label: 'Billable units', kind: 'number', cell: ({ billableUnits }) => number(billableUnits) },
  ]
  const { calls, units, billableUnits } = report
  const foot = ['All', number(calls), number(units), number(billableUnits)]
  return card(
    'Usage in 30 days',
    table({
      caption: 'Usage by operation',
      columns,
      rows,
      foot,
      empty: html`<p class="quiet">No calls in the last 30 days.</p>`,
    }),
    {
      actions: buttonLink(linkTo(site, `/console/usage${toQuery({ partner: partner.id })}`), 'All usage'),
    },
  )
}

/** Returns the newest calls. */
export function requestsCard(view: PartnerView, { site, zone }: PageRequest): Html {
  const { calls, partner, keys } = view
  const columns: Column<LoggedCall>[] = [
    {
      label: 'When',
      cell: ({ timeMs, requestId }) =>
        link(linkTo(site, `/console/requests/${requestId}`), time(timeMs, zone, 'second')),
    },
    { label: 'Operation', cell: ({ operation }) => operation },
    { label: 'Key', cell: ({ keyId }) => keyName(keys.find(({ id }) => id === keyId) ?? { id: keyId }) },
    { label: 'Status', cell: ({ status }) => httpStatusBadge(status) },
    { label: 'Cause', cell: causeOf },
    { label: 'Units', kind: 'number', cell: ({ units }) => number(units) },
  ]
  return card(
    'Latest requests',
    table({
      caption: 'Latest requests',
      columns,
      rows: calls.rows,
      empty: html`<p class="quiet">No requests in the log.</p>`,
    }),
    {
      actions: buttonLink(linkTo(site, `/console/requests${toQuery({ partner: partner.id })}`), 'All requests'),
    },
  )
}

/** Returns the statements of the last months. */
export function statementsCard(view: PartnerView, { site }: PageRequest): Html {
  const path = (month: string) => linkTo(site, pathOf(view, `/statements/${month}`))
  const columns: Column<PricedStatement>[] = [
    { label: 'Month', kind: 'name', cell: ({ month }) => month },
    { label: 'Calls', kind: 'number', cell: ({ calls }) => number(calls) },
    { label: 'Billable units', kind: 'number', cell: ({ units }) => number(units) },
    { label: 'State', cell: ({ closed }) => (closed ? badge('good', 'Closed') : badge('plain', 'In progress')) },
    {
      label: 'Export',
      kind: 'actions',
      cell: ({ month }) =>
        html`${link(path(month), 'CSV', `of ${month}`)} ${link(`${path(month)}?format=json`, 'JSON', `of ${month}`)}`,
    },
  ]
  return card('Statements', table({ caption: 'Statements', columns, rows: view.statements }))
}

/** Returns the notes, which the partner never sees, and the form of another one. */
export function notesCard(view: PartnerView, { site, may, zone }: PageRequest): Html {
  const { notes, everybody } = view
  return card(
    'Notes',
    [
      notes.length === 0 && html`<p class="quiet">No notes yet. Partners never see them.</p>`,
      notes.map(
        ({ text, by, atMs }) =>
          html`<div class="note"><p>${text}</p><p class="quiet small">${actorName(by, everybody)},
${time(atMs, zone)}</p></div>\n`,
      ),
      may('partners:note') &&
        form({
          action: linkTo(site, pathOf(view, '/notes')),
          fields: [{ name: 'text', label: 'New note', type: 'textarea' }],
          button: 'Add note',
          kind: 'plain',
        }),
    ],
    { id: 'notes' },
  )
}

/** Returns the latest changes of the partner and of what belongs to it. */
export const timelineCard = ({ changes, everybody, partner, keys }: PartnerView, { site, zone }: PageRequest): Html =>
  card(
    'Timeline',
    timeline(changes.lines, everybody, zone, target => {
      const key = keys.find(({ id }) => id === target)
      return key ? keyName(key) : target
    }),
    {
      actions: buttonLink(linkTo(site, `/console/audit${toQuery({ partner: partner.id })}`), 'Audit'),
    },
  )
