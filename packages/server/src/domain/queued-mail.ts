import type { DeliveryState, OutboxEvent } from './webhook.ts'

/** Returns who gets mail about an event, and whether users can switch it off; undefined for no mail. */
export type MailRule = (
  event: OutboxEvent,
) => { readonly audience: 'staff' | 'partner'; readonly isSecurity: boolean } | undefined

/** A mail that is due. */
export interface DueMail {
  readonly no: number
  readonly userId: string
  /** E-mail address. */
  readonly to: string
  readonly event: OutboxEvent
  readonly attempts: number
}

/** A mail about an event, in any state. */
export interface QueuedMail {
  readonly no: number
  readonly userId: string
  readonly event: OutboxEvent
  readonly state: DeliveryState
  readonly attempts: number
  /** Time of the next attempt, while pending. */
  readonly nextMs?: number
}

/** The result of sending a mail. */
export interface MailSettlement {
  readonly no: number
  readonly state: DeliveryState
  readonly nextMs?: number
}
