import type { ChangeRecord } from './change-record.ts'
import type { EventDraft, EventType } from './event.ts'
import type { TimeOrder } from './list-order.ts'
import type { DueMail, MailRule, MailSettlement, QueuedMail } from './queued-mail.ts'
import type { Visibility } from './visibility.ts'
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryState,
  DisabledReason,
  EndpointChange,
  EndpointSecrets,
  OutboxEvent,
  WebhookEndpoint,
} from './webhook.ts'

/** A page of a list; `next` continues it. */
export interface EventPage<T> {
  readonly rows: readonly T[]
  readonly next?: number
}

/** A query for events. */
export interface EventQuery {
  readonly visibility: Visibility
  readonly types?: readonly EventType[]
  readonly sinceMs?: number
  /** Default: newest first. */
  readonly order?: TimeOrder | undefined
  /** Maximum number of rows. */
  readonly limit: number
  /** `next` of the previous page. */
  readonly after?: number
}

/** A query for deliveries. */
export interface DeliveryQuery {
  readonly visibility: Visibility
  readonly endpointId?: string
  readonly state?: DeliveryState
  readonly order?: TimeOrder | undefined
  readonly limit: number
  readonly after?: number
}

/** A query for mails. */
export interface MailQuery {
  readonly order?: TimeOrder | undefined
  readonly limit: number
  readonly after?: number
}

/**
 * Webhook endpoints and deliveries for their owners. Changes compare and swap: they resolve to undefined, with nothing
 * changed, if the revision is no longer the expected one.
 */
export interface WebhookAdmin {
  addEndpoint(endpoint: WebhookEndpoint, secret: Buffer, record: ChangeRecord): Promise<void>
  endpoint(id: string, visibility: Visibility): Promise<WebhookEndpoint | undefined>
  endpoints(visibility: Visibility): Promise<WebhookEndpoint[]>
  secrets(endpointId: string): Promise<EndpointSecrets | undefined>
  updateEndpoint(
    id: string,
    expectedRevision: number,
    change: EndpointChange,
    record: ChangeRecord,
  ): Promise<WebhookEndpoint | undefined>
  /** Replaces the secret; the previous one signs as well until `previousEndsMs`. */
  rotateSecret(
    id: string,
    expectedRevision: number,
    secret: Buffer,
    previousEndsMs: number,
    record: ChangeRecord,
  ): Promise<WebhookEndpoint | undefined>
  /** Removes an endpoint with its deliveries; false if the revision is not the expected one. */
  removeEndpoint(id: string, expectedRevision: number, record: ChangeRecord): Promise<boolean>
  deliveries(query: DeliveryQuery): Promise<EventPage<Delivery>>
  delivery(id: string, visibility: Visibility): Promise<Delivery | undefined>
  /** Makes a delivery due now, with all attempts ahead of it. */
  redeliver(id: string, nowMs: number, record: ChangeRecord): Promise<Delivery | undefined>
  events(query: EventQuery): Promise<EventPage<OutboxEvent>>
  /** Lists the mails about events, newest first by default. */
  mails(query: MailQuery): Promise<EventPage<QueuedMail>>
}

/** An event that is due at an endpoint. */
export interface DueDelivery {
  readonly id: string
  readonly endpoint: WebhookEndpoint
  readonly secrets: EndpointSecrets
  readonly event: OutboxEvent
  /** Number of attempts since the delivery was created or repeated. */
  readonly attempts: number
}

/** The result of an attempt, with what follows from it. */
export interface DeliverySettlement {
  readonly deliveryId: string
  readonly attempt: DeliveryAttempt
  readonly state: DeliveryState
  readonly nextMs?: number
  /** Disables the endpoint. */
  readonly disable?: DisabledReason
}

/** A secret of a key that ends. */
export interface EndingSecret {
  readonly keyId: string
  readonly createdMs: number
  readonly expiresMs: number
  /** Creation of the newest secret of the key. */
  readonly newestCreatedMs: number
}

/** An event for one endpoint. */
export interface EndpointEvent extends EventDraft {
  readonly endpointId: string
}

/** A move of the position in the change log up to which location events exist; undefined before the first one. */
export interface LocationMove {
  readonly from: number | undefined
  readonly to: number
}

/** The queue of the deliveries. One thread uses it: of the process that serves the data folder, or of the worker. */
export interface EventQueue {
  /** Creates the deliveries of new events, and their mails if there is a rule; returns the number of deliveries. */
  fanOut(nowMs: number, mailRule?: MailRule): Promise<number>
  /** Returns due mails to active users, oldest first. */
  dueMails(nowMs: number, limit: number): Promise<DueMail[]>
  settleMail(settlement: MailSettlement): Promise<void>
  /** Returns due deliveries of each active endpoint, at most `perEndpoint`, without those in `running`. */
  due(nowMs: number, perEndpoint: number, running: ReadonlySet<string>): Promise<DueDelivery[]>
  settle(settlement: DeliverySettlement): Promise<void>
  /** Adds events that no other transaction causes; an event whose unique key exists is skipped. */
  add(events: readonly EventDraft[]): Promise<void>
  /**
   * Adds location events and moves the position in the change log in one transaction. If the position is another one
   * than `from`, nothing changes: another process has added these events.
   */
  addLocationEvents(events: readonly EndpointEvent[], move: LocationMove): Promise<void>
  /** Returns the position in the change log; undefined before the first call of `addLocationEvents`. */
  locationPosition(): Promise<number | undefined>
  /** Returns the secrets of active keys that end in this period. */
  endingSecrets(fromMs: number, toMs: number): Promise<EndingSecret[]>
  /** Returns the partners that called a version on a UTC day that started at `sinceMs` or later. */
  callersOf(version: string, sinceMs: number): Promise<string[]>
  /** Removes events and deliveries from before a time; never the newest event. */
  prune(beforeMs: number): Promise<void>
}
