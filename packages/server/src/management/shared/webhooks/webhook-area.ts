import { type AdminFault, adminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { AdminPermission, OwnPermission } from '../../../domain/admin-permission.ts'
import type { EventType } from '../../../domain/event.ts'
import type { Key } from '../../../domain/key.ts'
import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import { findEndpoint } from '../../../usecases/admin/find-endpoint.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest, PageRoute } from '../../pages/page-route.ts'

/** A page or form of a webhook, as it is in the portal and in the console. */
export interface WebhookRow {
  readonly method: 'GET' | 'POST'
  /** Path below that of all webhooks. */
  readonly path: string
  readonly access: 'read' | 'write'
  readonly proof?: boolean
  readonly isCostly?: () => boolean
  readonly handler: (context: ManagementContext, request: PageRequest) => Promise<PageAnswer>
}

/** The place of webhooks: the portal for those of a partner, or the console for those of the operator. */
export interface WebhookArea {
  /** Creates a row of the table of pages. */
  row(row: WebhookRow): PageRoute
  /** Returns the path below which each webhook has its page, below the base path. */
  folder(request: PageRequest): string
  /** Returns the path of the list, below the base path. */
  listPath(request: PageRequest): string
  readonly write: AdminPermission | OwnPermission
  /** Returns the partner whose webhooks these are; undefined for those of the operator. */
  ownerOf(request: PageRequest): string | undefined
  /** The types of events that a webhook can have, and those that a new one has unless others are chosen. */
  readonly types: readonly EventType[]
  readonly usualTypes: readonly EventType[]
  /** Returns the keys to which a new webhook can be restricted. */
  keysOf(context: ManagementContext, request: PageRequest): Promise<readonly Key[]>
}

/** Returns the address of the page of a webhook, or of a form below it. */
export const webhookLink = (area: WebhookArea, request: PageRequest, id: string): string =>
  linkTo(request.site, `${area.folder(request)}/${id}`)

/** Returns the webhook that the path names; one of another owner does not exist here. */
export async function findWebhook(
  area: WebhookArea,
  { webhooks }: ManagementContext,
  request: PageRequest,
): Promise<WebhookEndpoint | AdminFault> {
  const id = request.params.id!
  const endpoint = await findEndpoint(webhooks, request.actor, id)
  if (isAdminFault(endpoint) || endpoint.partnerId === area.ownerOf(request)) return endpoint
  return adminFault('webhook_unknown', ['id'], { webhook: id })
}
