import type { ServedVersion } from '../../../domain/lifecycle.ts'
import { type ListOrder, type MemoryOrders, pageOrders, sortRows } from '../../../domain/list-order.ts'
import type { RelyingKey } from '../../../domain/usage-report.ts'
import { relyingDays } from '../../../usecases/admin/list-relying-keys.ts'
import { type VersionUser, versionUseDays } from '../../../usecases/admin/version-users.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import type { TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { keyName } from '../../shared/key-parts.ts'
import { versionsPath } from './versions-path.ts'

/** Names of partners or keys, by id. */
export type Names = ReadonlyMap<string, string>

/** The orders of the keys that use a version, for all versions at once. */
const userOrdersOf = (partners: Names): MemoryOrders<VersionUser> => ({
  partner: { first: 'asc', value: ({ key }) => partners.get(key.partnerId) ?? key.partnerId },
  key: { first: 'asc', value: ({ key }) => keyName(key) },
  calls: { first: 'desc', value: ({ calls }) => calls },
  last_call: { first: 'desc', value: ({ lastDay }) => lastDay },
})

/** Sorts the keys that use a version. */
export const sortVersionUsers = (users: readonly VersionUser[], order: ListOrder, partners: Names) =>
  sortRows(users, order, userOrdersOf(partners))

/** The orders of the page of versions. */
export const versionUserOrders = pageOrders({ by: 'calls', isDescending: true }, userOrdersOf(new Map()))

/** The use of a version that will be retired. */
interface Ending {
  readonly users: readonly VersionUser[]
  readonly partners: Names
  readonly request: PageRequest
  readonly order: TableOrder
}

/** Lists who breaks when a version is retired. */
export function endingCard(version: ServedVersion, { users, partners, request, order }: Ending): Html {
  const { zone, nowMs, may, site } = request
  const { name, sunsetMs } = version
  const affected = new Set(users.map(({ key }) => key.partnerId)).size
  const when =
    sunsetMs === undefined
      ? 'Deprecated'
      : html`Sunset ${time(sunsetMs, zone, 'day')}, ${timeDistance(sunsetMs, nowMs)}`
  const send =
    may('requests:decide') &&
    affected > 0 &&
    buttonForm(linkTo(site, `${versionsPath}/${name}/notice`), `Send notice to ${formatCount(affected, 'partner')}`)
  return card(
    html`Version ${name}: who breaks`,
    html`${
      affected === 0
        ? notice(
            'good',
            html`<p>${when}. No key has called it in ${versionUseDays} days, and no feed is pinned to it.</p>`,
          )
        : notice(
            'warn',
            html`<p>${when}. ${formatCount(affected, 'partner')} still ${affected === 1 ? 'uses' : 'use'} it.</p>`,
          )
    }${users.length > 0 && userTable(users, partners, request, { ...order, part: `version-${name}` })}`,
    { id: `version-${name}`, actions: send },
  )
}

const partnerLink = (id: string, partners: Names, { site }: PageRequest): Html =>
  link(linkTo(site, `/console/partners/${id}`), partners.get(id) ?? id)

const userTable = (
  users: readonly VersionUser[],
  partners: Names,
  request: PageRequest,
  order: TableOrder,
): HtmlValue =>
  table<VersionUser>({
    caption: 'Keys that use the version',
    order,
    columns: [
      {
        label: 'Partner',
        kind: 'name',
        sort: 'partner',
        cell: ({ key }) => partnerLink(key.partnerId, partners, request),
      },
      { label: 'Key', sort: 'key', cell: ({ key }) => keyName(key) },
      {
        label: `Calls in ${versionUseDays} days`,
        kind: 'number',
        sort: 'calls',
        cell: ({ calls }) => formatNumber(calls),
      },
      {
        label: 'Last call',
        sort: 'last_call',
        cell: ({ lastDay }) => lastDay !== undefined && time(Date.parse(lastDay), 'UTC', 'day'),
      },
      { label: 'Pinned feeds', cell: ({ pins }) => pins.map(feed => feedLabels[feed]).join(', ') },
    ],
    rows: sortVersionUsers(users, order.current, partners),
  })

/** Lists the keys that name no version, which get another one when the default changes. */
export function relyingCard(
  relying: readonly RelyingKey[],
  { partners, keys }: { readonly partners: Names; readonly keys: Names },
  request: PageRequest,
  order: TableOrder,
): HtmlValue {
  if (relying.length === 0) return undefined
  const relyingOrders: MemoryOrders<RelyingKey> = {
    partner: { first: 'asc', value: ({ partnerId }) => partners.get(partnerId) ?? partnerId },
    key: { first: 'asc', value: ({ keyId }) => keys.get(keyId) ?? keyId },
    calls: { first: 'desc', value: ({ calls }) => calls },
  }
  const content = [
    html`<p class="quiet">These keys get the default version. They see another one when the default changes (calls of
${relyingDays} days).</p>`,
    table<RelyingKey>({
      caption: 'Keys that name no version',
      order: { ...order, part: 'relying' },
      columns: [
        {
          label: 'Partner',
          kind: 'name',
          sort: 'partner',
          cell: ({ partnerId }) => partnerLink(partnerId, partners, request),
        },
        { label: 'Key', sort: 'key', cell: ({ keyId }) => keys.get(keyId) ?? keyId },
        { label: 'Gets version', cell: ({ version }) => version },
        { label: 'Calls', kind: 'number', sort: 'calls', cell: ({ calls }) => formatNumber(calls) },
      ],
      rows: sortRows(relying, order.current, relyingOrders),
    }),
  ]
  return card('Calls without a version', content, { id: 'relying' })
}
