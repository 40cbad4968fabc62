import { computeGrant } from '../../../access/grant.ts'
import { limitNames } from '../../../domain/agreement.ts'
import type { Key } from '../../../domain/key.ts'
import { sortRows } from '../../../domain/list-order.ts'
import type { Quota } from '../../../domain/package.ts'
import type { User } from '../../../domain/user.ts'
import type { PeakSecond } from '../../../usecases/admin/peak-rates.ts'
import type { PeakDay } from '../../../usecases/admin/peak-use.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card, facts, tiles } from '../../../web/parts/facts.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { formatCompact, formatCount, formatNumber, formatPercent } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { dayText, time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { keyKind, keyName, keyState, packageText, scopeText } from '../../shared/key-parts.ts'
import { userOrders } from '../../shared/people-parts.ts'
import { limitTexts } from '../../shared/terms-fields.ts'
import { timeline } from '../../shared/timeline.ts'
import { lastDayOf } from './list.ts'
import { keyOrdersOf, type PartnerView, pathOf, type SortedPartnerView } from './partner-view.ts'

/** Returns the figures at the top. */
export function summary({ partner, keys, report, users }: PartnerView, _request: PageRequest): Html {
  const live = keys.filter(({ state, test }) => state !== 'revoked' && !test).length
  return tiles([
    { label: 'Units in 30 days', value: formatCompact(report.units), note: formatCount(report.calls, 'call') },
    { label: 'Live keys', value: live, note: `the partner may create ${partner.liveKeysMax}` },
    { label: 'Users', value: users.length },
    { label: 'Last call', value: dayText(lastDayOf(keys)), note: 'Day in UTC' },
  ])
}

/** Returns the keys with the peak of each limit. */
export function keysCard(view: SortedPartnerView, { site, may, zone, nowMs }: PageRequest): Html {
  const { keys, peaks, rates, packageTable, partner, order } = view
  const quotas = (key: Key) => computeGrant(key, packageTable).limits
  const columns: Column<Key>[] = [
    {
      label: 'Key',
      kind: 'name',
      sort: 'key',
      cell: key => link(linkTo(site, pathOf(view, `/keys/${key.id}`)), keyName(key)),
    },
    { label: 'Kind', cell: keyKind },
    { label: 'Package', cell: packageText },
    {
      label: 'Peak of units',
      sort: 'peak',
      cell: key => [peak(peaks.get(key.id)?.quota, quotas(key).quota.value), ratePeak(rates.get(key.id)?.rate)],
    },
    {
      label: 'Peak of searches',
      sort: 'search_peak',
      cell: key => [
        peak(peaks.get(key.id)?.searchQuota, quotas(key).searchQuota.value),
        ratePeak(rates.get(key.id)?.searchRate),
      ],
    },
    { label: 'Last used', sort: 'last_used', cell: ({ lastUse }) => dayText(lastUse?.day) },
    { label: 'Ends', sort: 'ends', cell: ({ expiresMs }) => expiresMs !== undefined && time(expiresMs, zone, 'day') },
    { label: 'State', sort: 'state', cell: key => keyState(key, nowMs) },
  ]
  const canCreate = may('keys:write') && partner.state === 'open'
  return card(
    'Keys',
    table({
      caption: 'Keys',
      columns,
      order: { ...order, part: 'keys' },
      rows: sortRows(keys, order.current, keyOrdersOf(peaks)),
      empty: html`<p class="quiet">No keys yet. A key is what the partner sends with its calls.</p>`,
    }),
    {
      id: 'keys',
      ...(canCreate && {
        actions: buttonLink(linkTo(site, pathOf(view, '/keys/new')), 'New key', { kind: 'primary' }),
      }),
    },
  )
}

const peak = (day: PeakDay | undefined, quota: Quota): HtmlValue =>
  day && [
    `${formatNumber(day.units)} a day`,
    quota !== 'unlimited' && html` <span class="quiet">(${formatPercent(day.units / quota)})</span>`,
  ]

const ratePeak = (second: PeakSecond | undefined): HtmlValue =>
  second && html`<br><span class="quiet">${formatCount(second.calls, 'call')} a second</span>`

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
export function usersCard(view: SortedPartnerView, { site, may, zone }: PageRequest): Html {
  const { partner, users, order } = view
  const columns: Column<User>[] = [
    {
      label: 'Name',
      kind: 'name',
      sort: 'name',
      cell: ({ id, name, email }) => link(linkTo(site, `/console/staff/${id}`), name ?? email),
    },
    { label: 'E-mail', cell: ({ email }) => email },
    {
      label: 'Role',
      sort: 'role',
      cell: ({ memberships }) => memberships.find(({ partnerId }) => partnerId === partner.id)?.role,
    },
    { label: 'Second factor', cell: ({ factors }) => (factors.totp || factors.passkeys > 0 ? 'Yes' : 'No') },
    {
      label: 'Last sign-in',
      sort: 'last_sign_in',
      cell: ({ lastSignInMs }) =>
        lastSignInMs === undefined ? html`<span class="quiet">Never</span>` : time(lastSignInMs, zone),
    },
    {
      label: 'State',
      cell: ({ state }) => (state === 'active' ? badge('good', 'Active') : badge('warn', 'Disabled')),
    },
  ]
  const empty = html`<p class="quiet">No users yet. An invited admin manages keys, plan and team of the
partner.</p>`
  const invite = buttonLink(linkTo(site, pathOf(view, '/invite')), 'Invite user')
  const canInvite = may('users:write') && partner.state === 'open'
  const rows = sortRows(users, order.current, userOrders)
  const list = table({ caption: 'Users', columns, rows, empty, order: { ...order, part: 'users' } })
  return card('Users', list, { id: 'users', ...(canInvite && { actions: invite }) })
}

/** Returns the latest changes of the partner and of what belongs to it. */
export const timelineCard = (
  { changes, everybody, partner, targetText }: PartnerView,
  { site, zone }: PageRequest,
): Html =>
  card('Timeline', timeline(changes.lines, everybody, zone, targetText), {
    actions: buttonLink(linkTo(site, `/console/audit${toQuery({ partner: partner.id })}`), 'Audit'),
  })
