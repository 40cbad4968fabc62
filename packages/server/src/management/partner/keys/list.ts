import type { Actor } from '../../../domain/actor.ts'
import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type Key, keyStates } from '../../../domain/key.ts'
import type { KeySecret } from '../../../domain/key-secret.ts'
import { type KeyOrder, keyOrders } from '../../../domain/key-stores.ts'
import type { ListOrders } from '../../../domain/list-order.ts'
import { keyResource } from '../../../resources/key.ts'
import { listKeyPart, listKeys } from '../../../usecases/admin/list-keys.ts'
import { listSecrets } from '../../../usecases/admin/list-secrets.ts'
import { type Html, html } from '../../../web/html.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { readShownPage } from '../../page.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows, maxExportedRows } from '../../shared/export.ts'
import { keyKind, keyName, keyState, packageText, restrictionText, secretEnding } from '../../shared/key-parts.ts'
import { readSort, sortFlag } from '../../shared/sort.ts'

const rowsPerPage = 50

interface Row {
  readonly key: Key
  /** The newest one. */
  readonly secret: KeySecret | undefined
}

/** The orders of keys that have a column here; the newest keys come first. */
const orders = {
  first: { created: 'desc', name: 'asc', state: 'asc', last_used: 'desc', expires: 'asc' },
  byDefault: { by: 'created', isDescending: true },
} as const satisfies ListOrders<Exclude<KeyOrder, 'partner'>>

/** The keys of a partner. */
export const keyListPage = partnerPage({
  method: 'GET',
  path: '/keys',
  permission: 'own:read',
  handler: async ({ admin }, request) => {
    const { partner, site, query, may, actor } = request
    const current = readSort(orders, request)
    if ('title' in current) return current
    const showsRevoked = query.state === 'all'
    const states = showsRevoked ? undefined : keyStates.filter(state => state !== 'revoked')
    const format = exportFormat(request)
    const { data, next } = await readShownPage(
      current,
      span => listKeyPart(admin, actor, { states, ...span }),
      format ? { limit: maxExportedRows } : { limit: rowsPerPage, after: query.after },
    )
    if (format) {
      const exported = data.map(key => toExport(key, admin))
      return exportRows('keys', format, exported, next !== null)
    }
    const rows = await Promise.all(data.map(key => toRow(admin, actor, key)))
    const path = linkTo(site, `/portal/${partner.id}/keys`)
    const revoked = (await listKeys(admin, actor, { states: ['revoked'] })).length
    const order = { orders, current, path, filters: { state: query.state } }
    const filters = { state: query.state, sort: sortParameter(order) }
    const elsewhere = { orders: keyOrders, current }
    const toggle = showsRevoked
      ? link(path, 'Hide revoked keys')
      : html`<a href="${path}?state=all">Show revoked keys (${revoked})</a>`
    return {
      title: 'Keys',
      lead: 'Your programs call the API with keys. Each key has its own limits, and its secret can be replaced without a failed call.',
      actions: [
        exportLinks(path, filters),
        may('own:explore') && html` ${buttonLink(`${path}/new`, 'New key', { kind: 'primary' })}`,
      ],
      content: [
        rows.length === 0 ? empty(path, may('own:explore')) : keyTable(rows, order, request),
        pager(path, { ...filters, after: query.after }, next ?? undefined),
        revoked > 0 && html`<p class="small">${toggle}</p>`,
        sameElsewhere({
          cli: `periplus keys list --partner ${partner.id}${sortFlag(elsewhere)}`,
          api: `GET /admin/v1/keys${toQuery({ partner_id: partner.id, sort: sortParameter(elsewhere) })}`,
        }),
      ],
    }
  },
})

/** Returns a key as its partner may see it: notes are the operator's. */
function toExport(key: Key, { packageTable }: ManagementContext['admin']): object {
  const { notes: _, ...shown } = keyResource(key, packageTable)
  return shown
}

async function toRow(admin: ManagementContext['admin'], actor: Actor, key: Key): Promise<Row> {
  const found = await listSecrets(admin, actor, { id: key.id })
  return { key, secret: isAdminFault(found) ? undefined : found.secrets.at(-1) }
}

const keyTable = (rows: readonly Row[], order: TableOrder, { zone, nowMs }: PartnerRequest) =>
  table<Row>({
    caption: 'Keys',
    order,
    columns: [
      { label: 'Key', kind: 'name', sort: 'name', cell: ({ key }) => link(`${order.path}/${key.id}`, keyName(key)) },
      { label: 'Kind', cell: ({ key }) => keyKind(key) },
      { label: 'State', sort: 'state', cell: ({ key }) => keyState(key, nowMs) },
      { label: 'Package', cell: ({ key }) => packageText(key) },
      { label: 'Secret', cell: ({ secret }) => secretEnding(secret?.last4) },
      { label: 'Created', sort: 'created', cell: ({ key }) => time(key.createdMs, zone, 'day') },
      { label: 'Last used', sort: 'last_used', cell: ({ key }) => lastUse(key) },
      {
        label: 'Ends',
        sort: 'expires',
        cell: ({ key }) => (key.expiresMs === undefined ? undefined : time(key.expiresMs, zone, 'day')),
      },
      { label: 'Restricted to', cell: ({ key }) => restrictionText(key) },
    ],
    rows,
  })

/** Returns the day of the latest call with its version. Days are counted in UTC. */
export const lastUse = ({ lastUse: use }: Key): Html =>
  use === undefined
    ? html`<span class="quiet">Never</span>`
    : html`${time(Date.parse(use.day), 'UTC', 'day')} <span class="quiet">v${use.version}</span>`

const empty = (path: string, mayCreate: boolean): Html =>
  emptyState(
    'No keys yet',
    [
      html`<p>A <strong>test key</strong> is free: 1,000 units a day, real data, no feeds. A <strong>live key</strong>
has the limits of your package, and its calls are billed.</p>`,
      mayCreate && html`<p>${buttonLink(`${path}/new`, 'Create a test key', { kind: 'primary' })}</p>`,
    ],
    'key',
  )
