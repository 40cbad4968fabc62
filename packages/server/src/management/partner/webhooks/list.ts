import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import { webhookResource } from '../../../resources/webhook.ts'
import { listEndpoints } from '../../../usecases/admin/list-endpoints.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { keyName } from '../../shared/key-parts.ts'
import { receiverCard, webhookState } from '../../shared/webhooks/webhook-state.ts'

/** The webhooks of a partner. */
export const webhookListPage = partnerPage({
  method: 'GET',
  path: '/webhooks',
  permission: 'own:read',
  handler: async ({ admin, webhooks }, request) => {
    const { partner, actor, site, may } = request
    const endpoints = await listEndpoints(webhooks, actor, { partnerId: partner.id })
    if (isAdminFault(endpoints)) return endpoints
    const format = exportFormat(request)
    if (format) return exportRows('webhooks', format, endpoints.map(webhookResource))
    const keys = await listKeys(admin, actor)
    const path = linkTo(site, `/portal/${partner.id}/webhooks`)
    return {
      title: 'Webhooks',
      lead: 'Events are sent to your programs when they happen: limits, keys, changed places, new feeds.',
      actions: [
        exportLinks(path, {}),
        // The empty list has a button of its own.
        endpoints.length > 0 &&
          may('own:write') &&
          html` ${buttonLink(`${path}/new`, 'Add webhook', { kind: 'primary' })}`,
      ],
      scripts: ['samples.js'],
      content: [
        endpoints.length === 0 ? noWebhooks(path, may('own:write')) : endpointTable(endpoints, keys, path, request),
        receiverCard(),
        sameElsewhere({
          cli: `periplus webhooks list --partner ${partner.id}`,
          api: `GET /admin/v1/webhooks?partner_id=${partner.id}`,
        }),
      ],
    }
  },
})

const noWebhooks = (path: string, mayAdd: boolean): Html =>
  emptyState(
    'No webhooks yet',
    [
      html`<p>A webhook is an address of yours that receives signed events, so that you do not have to poll.</p>`,
      mayAdd && html`<p>${buttonLink(`${path}/new`, 'Add the first webhook', { kind: 'primary' })}</p>`,
    ],
    'broadcast',
  )

function endpointTable(
  endpoints: readonly WebhookEndpoint[],
  keys: readonly Key[],
  path: string,
  { zone }: PartnerRequest,
): HtmlValue {
  const names = new Map(keys.map(key => [key.id, keyName(key)]))
  return table<WebhookEndpoint>({
    caption: 'Webhooks',
    columns: [
      { label: 'URL', kind: 'name', cell: ({ id, url }) => link(`${path}/${id}`, url) },
      { label: 'State', cell: webhookState },
      { label: 'Events', cell: ({ types }) => formatCount(types.length, 'type') },
      { label: 'Key', cell: ({ keyId }) => (keyId === undefined ? 'All' : (names.get(keyId) ?? keyId)) },
      { label: 'Added', cell: ({ createdMs }) => time(createdMs, zone, 'day') },
    ],
    rows: endpoints,
  })
}
