import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { type MemoryOrders, sortRows } from '../../../domain/list-order.ts'
import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import { webhookResource } from '../../../resources/webhook.ts'
import { listEndpoints } from '../../../usecases/admin/list-endpoints.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import type { TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { readNames } from '../../shared/names.ts'
import { webhookState } from '../../shared/webhooks/webhook-state.ts'
import { eventsPath, ownWebhooksPath } from './events-path.ts'

/** A list of the page, with the cursor of its next page. */
export interface Listed {
  readonly content: () => HtmlValue
  /** The rows as they are exported. */
  readonly rows: readonly object[]
  readonly next?: number | undefined
}

/** A webhook with the name of its owner. */
type OwnedWebhook = WebhookEndpoint & { readonly owner: string }

/** The orders of the webhooks. */
export const webhookOrders: MemoryOrders<OwnedWebhook> = {
  url: { first: 'asc', value: ({ url }) => url },
  owner: { first: 'asc', value: ({ owner }) => owner },
  state: { first: 'asc', value: ({ state }) => state },
}

/** Reads the webhooks of all partners and of the operator. */
export async function readWebhooks(
  context: ManagementContext,
  request: PageRequest,
  order: TableOrder,
): Promise<Listed | AdminFault> {
  const { actor, site, may } = request
  const endpoints = await listEndpoints(context.webhooks, actor)
  if (isAdminFault(endpoints)) return endpoints
  const owners = endpoints.flatMap(({ partnerId }) => partnerId ?? [])
  const names = await readNames(context, request, 'partner', owners)
  const owned = endpoints.map(one => ({
    ...one,
    owner: one.partnerId === undefined ? 'Operator' : (names.get(one.partnerId) ?? one.partnerId),
  }))
  const sorted = sortRows(owned, order.current, webhookOrders)
  const toggle = ({ id, state, revision }: WebhookEndpoint) => {
    if (!may('webhooks:write')) return undefined
    const [button, next] = state === 'active' ? ['Pause', 'paused'] : ['Activate', 'active']
    return buttonForm(linkTo(site, `${eventsPath}/state`), button, {
      webhook: id,
      revision: String(revision),
      state: next!,
    })
  }
  const urlOf = ({ id, url, partnerId }: WebhookEndpoint) =>
    link(
      linkTo(
        site,
        partnerId === undefined
          ? `${ownWebhooksPath}/${id}`
          : eventsPath + toQuery({ show: 'deliveries', webhook: id }),
      ),
      url,
    )
  const add =
    may('webhooks:write') &&
    html`<p>${buttonLink(linkTo(site, `${ownWebhooksPath}/new`), 'Add webhook of your own', { kind: 'primary' })}</p>`
  const content = () =>
    html`${table<OwnedWebhook>({
      caption: 'Webhooks',
      order,
      columns: [
        { label: 'URL', kind: 'name', sort: 'url', cell: urlOf },
        { label: 'Owner', sort: 'owner', cell: ({ owner }) => owner },
        { label: 'Types', cell: ({ types }) => types.join(', ') },
        { label: 'State', sort: 'state', cell: webhookState },
        { label: 'Action', kind: 'actions', cell: toggle },
      ],
      rows: sorted,
      empty: emptyState(
        'No webhooks',
        html`<p>Partners add webhooks in the portal. One of your own receives events of all partners and of the
service.</p>`,
      ),
    })}${add}`
  return { rows: sorted.map(webhookResource), content }
}
