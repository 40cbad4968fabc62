import { eventTypes } from '../domain/event.ts'
import type { EventPage } from '../domain/event-store.ts'
import type { Delivery, DeliveryAttempt, OutboxEvent, WebhookEndpoint } from '../domain/webhook.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const webhookMembers = {
  id: Type.String(),
  partner_id: Type.Optional(Type.String()),
  key_id: Type.Optional(Type.String()),
  url: Type.String(),
  types: Type.Array(Type.Enum(eventTypes)),
  state: Type.Enum(['active', 'paused', 'disabled']),
  disabled_reason: Type.Optional(Type.Enum(['gone', 'failing'])),
  failing_since: Type.Optional(dateTime()),
  previous_secret_ends_at: Type.Optional(dateTime()),
  created_at: dateTime(),
  revision: Type.Integer({ minimum: 1 }),
}

export const webhookSchema = closedObject(webhookMembers)
export type WebhookResource = Resource<typeof webhookSchema>

/** Presents an endpoint, without its secret. */
export const webhookResource = (endpoint: WebhookEndpoint): WebhookResource => {
  const { partnerId, keyId, disabledReason, failingSinceMs, previousSecretEndsMs } = endpoint
  return {
    id: endpoint.id,
    ...(partnerId !== undefined && { partner_id: partnerId }),
    ...(keyId !== undefined && { key_id: keyId }),
    url: endpoint.url,
    types: [...endpoint.types],
    state: endpoint.state,
    ...(disabledReason !== undefined && { disabled_reason: disabledReason }),
    ...(failingSinceMs !== undefined && { failing_since: formatDateTime(failingSinceMs) }),
    ...(previousSecretEndsMs !== undefined && { previous_secret_ends_at: formatDateTime(previousSecretEndsMs) }),
    created_at: formatDateTime(endpoint.createdMs),
    revision: endpoint.revision,
  }
}

export const webhookListSchema = closedObject({ webhooks: Type.Array(webhookSchema) })

/** Presents a list of endpoints. */
export const webhookListResource = (endpoints: readonly WebhookEndpoint[]): Resource<typeof webhookListSchema> => ({
  webhooks: endpoints.map(webhookResource),
})

export const webhookSecretSchema = closedObject({ ...webhookMembers, secret: Type.String() })

/** Presents an endpoint with a new secret, which is shown once. */
export const webhookSecretResource = (made: {
  readonly endpoint: WebhookEndpoint
  readonly secret: string
}): Resource<typeof webhookSecretSchema> => ({ ...webhookResource(made.endpoint), secret: made.secret })

export const attemptSchema = closedObject({
  at: dateTime(),
  duration_ms: count(),
  status: Type.Optional(Type.Integer()),
  error: Type.Optional(
    Type.Enum(['timeout', 'address_refused', 'name_unknown', 'connection_failed', 'tls_failed', 'secret_unreadable']),
  ),
  body: Type.Optional(Type.String()),
})

const attemptResource = ({ atMs, durationMs, ...rest }: DeliveryAttempt): Resource<typeof attemptSchema> => ({
  at: formatDateTime(atMs),
  duration_ms: durationMs,
  ...rest,
})

export const webhookTestSchema = closedObject({
  webhook_id: Type.String(),
  delivered: Type.Boolean(),
  attempt: attemptSchema,
})

/** Presents the result of a test. */
export const webhookTestResource = (tested: {
  readonly endpoint: WebhookEndpoint
  readonly attempt: DeliveryAttempt
}): Resource<typeof webhookTestSchema> => {
  const { status = 0 } = tested.attempt
  return {
    webhook_id: tested.endpoint.id,
    delivered: status >= 200 && status < 300,
    attempt: attemptResource(tested.attempt),
  }
}

export const eventSchema = closedObject({
  id: Type.String(),
  type: Type.Enum(eventTypes),
  partner_id: Type.Optional(Type.String()),
  timestamp: dateTime(),
  data: Type.Record(Type.String(), Type.Unknown()),
})

/** Presents an event of the outbox. */
export const eventResource = ({ id, type, partnerId, atMs, data }: OutboxEvent): Resource<typeof eventSchema> => ({
  id,
  type,
  ...(partnerId !== undefined && { partner_id: partnerId }),
  timestamp: formatDateTime(atMs),
  data: { ...data },
})

export const deliverySchema = closedObject({
  id: Type.String(),
  webhook_id: Type.String(),
  event: eventSchema,
  state: Type.Enum(['pending', 'delivered', 'failed']),
  next_attempt_at: Type.Optional(dateTime()),
  attempts: Type.Array(attemptSchema),
})

/** Presents a delivery with its attempts, oldest first. */
export const deliveryResource = (delivery: Delivery): Resource<typeof deliverySchema> => ({
  id: delivery.id,
  webhook_id: delivery.endpointId,
  event: eventResource(delivery.event),
  state: delivery.state,
  ...(delivery.nextMs !== undefined && { next_attempt_at: formatDateTime(delivery.nextMs) }),
  attempts: delivery.attempts.map(attemptResource),
})

const next = Type.Union([Type.String(), Type.Null()])
export const eventListSchema = closedObject({ data: Type.Array(eventSchema), next })
export const deliveryListSchema = closedObject({ data: Type.Array(deliverySchema), next })

/** Presents a page of events. */
export const eventListResource = (page: EventPage<OutboxEvent>): Resource<typeof eventListSchema> => ({
  data: page.rows.map(eventResource),
  next: page.next === undefined ? null : String(page.next),
})

/** Presents a page of deliveries. */
export const deliveryListResource = (page: EventPage<Delivery>): Resource<typeof deliveryListSchema> => ({
  data: page.rows.map(deliveryResource),
  next: page.next === undefined ? null : String(page.next),
})
