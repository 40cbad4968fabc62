import type { AdminFaultOf } from '../domain/admin-fault.ts'
import type { UrlProblem } from '../domain/webhook.ts'
import { CommandError, UsageError } from './errors.ts'

const commandError = (text: string): Error => new CommandError(text)
const usageError = (text: string): Error => new UsageError(text)
const joinNames = (names: readonly string[]): string => names.join(', ')

/** The message for each reason why a URL cannot receive webhooks. */
const urlProblemTexts: Readonly<Record<UrlProblem, (url: string) => string>> = {
  not_a_url: url => `'${url}' is not a URL. Specify one such as https://partner.example/webhooks.`,
  not_https: url => `The URL ${url} must use https. To permit plain http, set webhooks.allowPrivate to true.`,
  has_credentials: () => 'The URL must not contain a user name or password. Receivers verify the signature instead.',
  private_address: url => `${url} is a private address. Such receivers need webhooks.allowPrivate: true.`,
}

type WebhookFaultCode =
  | 'webhook_unknown'
  | 'webhook_url_invalid'
  | 'event_type_unknown'
  | 'too_many_webhooks'
  | 'webhook_disabled'
  | 'delivery_unknown'

/** The message and exit code of each fault of webhooks. */
export const webhookFaultErrors: { readonly [C in WebhookFaultCode]: (fault: AdminFaultOf<C>) => Error } = {
  webhook_unknown: ({ webhook }) =>
    commandError(`Webhook ${webhook} does not exist. Run 'periplus webhooks list' to see all webhooks.`),
  webhook_url_invalid: ({ url, problem }) => usageError(urlProblemTexts[problem](url)),
  event_type_unknown: ({ type, types }) =>
    usageError(
      type === undefined
        ? `Specify the types of events with --type TYPE. Types: ${joinNames(types)}.`
        : `${type} is not a type of event that this webhook can receive. Types: ${joinNames(types)}.`,
    ),
  too_many_webhooks: ({ max }) =>
    commandError(`There are ${max} webhooks already, the maximum of one owner. Remove one, or add types to one.`),
  webhook_disabled: ({ webhook }) =>
    commandError(`Webhook ${webhook} is disabled. Run 'periplus webhooks set ${webhook} --state active' first.`),
  delivery_unknown: ({ delivery }) =>
    commandError(`Delivery ${delivery} does not exist. Run 'periplus webhooks deliveries' to see the latest ones.`),
}
