import type { DeliverySettlement, DueDelivery, EventQueue } from '../domain/event-store.ts'
import type { MailRule } from '../domain/queued-mail.ts'
import type { DeliveryAttempt, SentEvent } from '../domain/webhook.ts'
import { formatEventBody } from '../events/body.ts'
import { isAccepted, nextAttemptMs, reasonToDisable } from '../events/retry.ts'
import { signWebhook } from '../events/signature.ts'
import type { SecretBox } from '../kit/secret-box.ts'
import type { WebhookSender } from './post.ts'

/** Deliveries to one endpoint at the same time: a slow receiver delays only its own events. */
const perEndpoint = 4

/** Dependencies of the deliveries. */
export interface DeliveryParts {
  readonly queue: EventQueue
  readonly sender: WebhookSender
  readonly secrets: SecretBox
  readonly nowMs: () => number
  /** Set if mail is sent. */
  readonly mailRule?: MailRule
  /** Returns a number in [0, 1). */
  readonly random: () => number
  /** Called with each error of the store; the delivery is repeated. */
  readonly onError: (error: unknown) => void
}

/**
 * Sends due events. A delivery remains pending in the store until its result is stored, so that a killed process
 * repeats it with the same id.
 */
export class Deliveries {
  readonly #parts: DeliveryParts
  readonly #running = new Map<string, Promise<void>>()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Creates the deliveries of new events and starts those that are due; returns the number of started ones. */
  async start(): Promise<number> {
    const { queue, nowMs } = this.#parts
    await queue.fanOut(nowMs(), this.#parts.mailRule)
    const due = await queue.due(nowMs(), perEndpoint, new Set(this.#running.keys()))
    for (const delivery of due) {
      const running = this.#deliver(delivery).finally(() => this.#running.delete(delivery.id))
      this.#running.set(delivery.id, running)
    }
    return due.length
  }

  /** Resolves when one of the running deliveries has ended; without running deliveries, it never resolves. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#running.values())
  }

  /** Resolves when all running deliveries have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const { queue, sender, onError } = this.#parts
    try {
      const attempt = await sendEvent(delivery, sender, this.#parts)
      await queue.settle(this.#settlementOf(delivery, attempt))
    } catch (error) {
      onError(error)
    }
  }

  #settlementOf({ id, endpoint, attempts }: DueDelivery, attempt: DeliveryAttempt): DeliverySettlement {
    if (isAccepted(attempt)) return { deliveryId: id, attempt, state: 'delivered' }
    const disable = reasonToDisable(attempt, endpoint.failingSinceMs)
    const nextMs = disable === 'gone' ? undefined : nextAttemptMs(attempts + 1, attempt.atMs, this.#parts.random())
    return {
      deliveryId: id,
      attempt,
      ...(nextMs === undefined ? { state: 'failed' } : { state: 'pending', nextMs }),
      ...(disable !== undefined && { disable }),
    }
  }
}

/** Sends one event to an endpoint, signed with its secrets. */
export async function sendEvent(
  { endpoint, secrets, event }: Pick<DueDelivery, 'endpoint' | 'secrets'> & { readonly event: SentEvent },
  sender: WebhookSender,
  { secrets: box, nowMs }: Pick<DeliveryParts, 'secrets' | 'nowMs'>,
): Promise<DeliveryAttempt> {
  const atMs = nowMs()
  const { current, previous } = secrets
  const isPreviousValid = previous !== undefined && (endpoint.previousSecretEndsMs ?? 0) > atMs
  const keys = [current, ...(isPreviousValid ? [previous] : [])]
    .map(sealed => box.open(sealed, endpoint.id))
    .filter(key => key !== undefined)
  if (keys.length === 0) return { atMs, durationMs: 0, error: 'secret_unreadable' }
  const body = formatEventBody(event)
  return sender.post({ url: endpoint.url, body, headers: signWebhook(event.id, atMs, body, keys) })
}
