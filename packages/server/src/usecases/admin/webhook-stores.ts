import type { WebhookAdmin } from '../../domain/event-store.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { DeliveryAttempt, EndpointSecrets, SentEvent, UrlProblem, WebhookEndpoint } from '../../domain/webhook.ts'
import type { Clock } from '../../kit/clock.ts'
import type { SecretBox } from '../../kit/secret-box.ts'

/** Dependencies of the use cases for webhooks. */
export interface WebhookStores {
  readonly webhooks: WebhookAdmin
  readonly keys: KeyAdmin
  readonly clock: Clock
  readonly secrets: SecretBox
  createSecret(): string
  /** Returns the reason why webhooks are not sent to a URL, as far as its text shows it. */
  findUrlProblem(url: string): UrlProblem | undefined
  /** Sends an event to an endpoint now. */
  send(target: {
    readonly endpoint: WebhookEndpoint
    readonly secrets: EndpointSecrets
    readonly event: SentEvent
  }): Promise<DeliveryAttempt>
  newId(kind: 'webhook' | 'evt'): string
}
