import { type EventType, partnerEventTypes } from '../../../domain/event.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { type PageRequest, partnerPage } from '../../pages/page-route.ts'
import type { WebhookArea } from '../../shared/webhooks/webhook-area.ts'
import { webhookFormPages } from '../../shared/webhooks/webhook-forms.ts'
import { webhookPages } from '../../shared/webhooks/webhook-page.ts'
import { plannedKeys } from '../plan/plan.ts'
import { webhookListPage } from './list.ts'

const usualTypes: readonly EventType[] = [
  'quota.threshold_reached',
  'limit.penalty_started',
  'key.expiring',
  'version.deprecated',
  'version.sunset_near',
  'review.erased',
]

const ownerOf = ({ visibility }: PageRequest): string | undefined =>
  'all' in visibility ? undefined : visibility.partnerId

const folder = (request: PageRequest): string => `/portal/${ownerOf(request)}/webhooks`

/** The webhooks of a partner. */
const area: WebhookArea = {
  row: ({ access, path, ...row }) => partnerPage({ ...row, path: `/webhooks${path}`, permission: `own:${access}` }),
  folder,
  listPath: folder,
  write: 'own:write',
  ownerOf,
  types: partnerEventTypes,
  usualTypes,
  keysOf: async ({ admin }, { actor }) => plannedKeys(await listKeys(admin, actor)),
}

/** Pages of the webhooks of a partner. */
export const partnerWebhookPages = [webhookListPage, ...webhookFormPages(area), ...webhookPages(area)]
