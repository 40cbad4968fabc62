import type { EventType } from './event.ts'

/** `paused` by its owner: events wait. `disabled` by the service after failures: events are no longer queued. */
export type EndpointState = 'active' | 'paused' | 'disabled'

/** The reason why the service disabled an endpoint: it answered 410, or all deliveries failed for days. */
export type DisabledReason = 'gone' | 'failing'

/** An address of a partner or of the operator to which events are sent. */
export interface WebhookEndpoint {
  readonly id: string
  /** Missing for an endpoint of the operator, which receives the events of all partners. */
  readonly partnerId?: string
  /** Limits the endpoint to the events of one key, and location events to the scope of that key. */
  readonly keyId?: string
  readonly url: string
  readonly types: readonly EventType[]
  readonly state: EndpointState
  readonly disabledReason?: DisabledReason
  /** Milliseconds since 1970. */
  readonly createdMs: number
  /** Time of the first failure since the last success. */
  readonly failingSinceMs?: number
  /** End of the previous secret, which signs as well until then. */
  readonly previousSecretEndsMs?: number
  /** Counts the changes by users, from 1. */
  readonly revision: number
}

/** Sealed secrets of an endpoint: the current one, and the previous one until its end. */
export interface EndpointSecrets {
  readonly current: Buffer
  readonly previous?: Buffer
}

/** Changes of an endpoint; a missing member leaves the value unchanged. */
export interface EndpointChange {
  readonly url?: string
  readonly types?: readonly EventType[]
  readonly state?: Exclude<EndpointState, 'disabled'>
}

/** An event of the outbox. */
export interface OutboxEvent {
  readonly seq: number
  /** Id of the event in webhooks and mail. */
  readonly id: string
  readonly type: EventType
  readonly partnerId?: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly data: { readonly [member: string]: unknown }
  /** Set for an event that was made for one endpoint. */
  readonly endpointId?: string
}

/** An event as it is sent; a test is in no outbox. */
export type SentEvent = Omit<OutboxEvent, 'seq' | 'type'> & { readonly type: EventType | 'webhook.test' }

/** `failed`: all attempts failed, or the receiver refused events permanently. */
export type DeliveryState = 'pending' | 'delivered' | 'failed'

/**
 * Error codes of attempts without an answer. `secret_unreadable`: nothing was sent, because the secret was encrypted
 * under another pepper; a new secret is the remedy.
 */
export type DeliveryError =
  | 'timeout'
  | 'address_refused'
  | 'name_unknown'
  | 'connection_failed'
  | 'tls_failed'
  | 'secret_unreadable'

/** The result of one attempt. */
export interface DeliveryAttempt {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly durationMs: number
  /** Missing without an answer. */
  readonly status?: number
  readonly error?: DeliveryError
  /** Beginning of the answer's body; of the last attempt only. */
  readonly body?: string
}

/** The delivery of one event to one endpoint. */
export interface Delivery {
  readonly id: string
  readonly endpointId: string
  readonly event: OutboxEvent
  readonly state: DeliveryState
  /** Time of the next attempt, while pending. */
  readonly nextMs?: number
  /** Attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
}

/** A reason why a URL cannot receive webhooks. */
export type UrlProblem = 'not_a_url' | 'not_https' | 'has_credentials' | 'private_address'

/** Returns true if an endpoint receives an event. */
export function isSubscribed(
  { id, partnerId, keyId, types }: Pick<WebhookEndpoint, 'id' | 'partnerId' | 'keyId' | 'types'>,
  event: Pick<OutboxEvent, 'type' | 'partnerId' | 'endpointId' | 'data'>,
): boolean {
  if (event.endpointId !== undefined) return event.endpointId === id
  if (!types.includes(event.type)) return false
  // An event without a partner concerns all of them; endpoints of partners cannot subscribe to those of the operator.
  if (partnerId !== undefined && event.partnerId !== undefined && event.partnerId !== partnerId) return false
  const { key_id: eventKey } = event.data
  return keyId === undefined || eventKey === undefined || eventKey === keyId
}
