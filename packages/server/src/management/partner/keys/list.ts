import type { Actor } from '../../../domain/actor.ts'
import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import type { KeySecret } from '../../../domain/key-secret.ts'
import { keyResource } from '../../../resources/key.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listSecrets } from '../../../usecases/admin/list-secrets.ts'
import { type Html, html } from '../../../web/html.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { pager } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { keyKind, keyName, keyState, packageText, restrictionText, secretEnding } from '../../shared/key-parts.ts'

const rowsPerPage = 50

interface Row {
  readonly key: Key
  /** The newest one. */
  readonly secret: KeySecret | undefined
}

/** The keys of a partner. */
export const keyListPage = partnerPage({
  method: 'GET',
  path: '/keys',
  permission: 'own:read',
  handler: async ({ admin }, request) => {
    const { partner, site, query, may, actor } = request
    const all = await listKeys(admin, actor)
    const showsRevoked = query.state === 'all'
    const keys = all.filter(({ state }) => showsRevoked || state !== 'revoked').toReversed()
    const format = exportFormat(request)
    if (format)
      return exportRows(
        'keys',
        format,
        keys.map(key => toExport(key, admin)),
      )
    const first = Math.max(0, keys.findIndex(({ id }) => id === query.after) + 1)
    const shown = keys.slice(first, first + rowsPerPage)
    const rows = await Promise.all(shown.map(key => toRow(admin, actor, key)))
    const path = linkTo(site, `/portal/${partner.id}/keys`)
    const revoked = all.filter(({ state }) => state === 'revoked').length
    const next = first + rowsPerPage < keys.length ? shown.at(-1)?.id : undefined
    const toggle = showsRevoked
      ? link(path, 'Hide revoked keys')
      : html`<a href="${path}?state=all">Show revoked keys (${revoked})</a>`
    return {
      title: 'Keys',
      lead: 'Your programs call the API with keys. Each key has its own limits, and its secret can be replaced without a failed call.',
      actions: [
        exportLinks(path, { state: query.state }),
        may('own:explore') && html` ${buttonLink(`${path}/new`, 'New key', { kind: 'primary' })}`,
      ],
      content: [
        rows.length === 0 ? empty(path, may('own:explore')) : keyTable(rows, path, request),
        pager(path, { state: query.state, after: query.after }, next),
        revoked > 0 && html`<p class="small">${toggle}</p>`,
        sameElsewhere({
          cli: `periplus keys list --partner ${partner.id}`,
          api: `GET /admin/v1/keys?partner_id=${partner.id}`,
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

const keyTable = (rows: readonly Row[], path: string, { zone, nowMs }: PartnerRequest) =>
  table<Row>({
    caption: 'Keys, newest first',
    columns: [
      { label: 'Key', kind: 'name', cell: ({ key }) => link(`${path}/${key.id}`, keyName(key)) },
      { label: 'Kind', cell: ({ key }) => keyKind(key) },
      { label: 'State', cell: ({ key }) => keyState(key, nowMs) },
      { label: 'Package', cell: ({ key }) => packageText(key) },
      { label: 'Secret', cell: ({ secret }) => secretEnding(secret?.last4) },
      { label: 'Created', cell: ({ key }) => time(key.createdMs, zone, 'day') },
      { label: 'Last used', cell: ({ key }) => lastUse(key) },
      {
        label: 'Ends',
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
