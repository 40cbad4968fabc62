import { type EventType, eventTypes } from '../../../domain/event.ts'
import { consolePage } from '../../pages/page-route.ts'
import type { WebhookArea } from '../../shared/webhooks/webhook-area.ts'
import { webhookFormPages } from '../../shared/webhooks/webhook-forms.ts'
import { webhookPages } from '../../shared/webhooks/webhook-page.ts'
import { eventsPath, ownWebhooksPath } from './events-path.ts'

const usualTypes: readonly EventType[] = ['upgrade.requested', 'import.failed', 'backup.failed', 'journal.failing']

/** The webhooks of the operator. Those of partners are changed by their partners. */
const area: WebhookArea = {
  row: ({ access, path, ...row }) =>
    consolePage({
      ...row,
      path: `/events/webhooks${path}`,
      permission: access === 'read' ? 'system:read' : 'webhooks:write',
    }),
  folder: () => ownWebhooksPath,
  listPath: () => `${eventsPath}?show=webhooks`,
  write: 'webhooks:write',
  ownerOf: () => undefined,
  types: eventTypes,
  usualTypes,
  keysOf: () => Promise.resolve([]),
}

/** Pages of the operator's own webhooks. */
export const ownWebhookPages = [...webhookFormPages(area), ...webhookPages(area)]
