import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../config/load.ts'
import { sendEvent } from '../delivery/deliver.ts'
import { type AddressPolicy, createWebhookSender, findUrlProblem } from '../delivery/post.ts'
import type { Engine } from '../domain/stores.ts'
import { createWebhookSecret } from '../events/signature.ts'
import { systemClock } from '../kit/clock.ts'
import type { SecretBox } from '../kit/secret-box.ts'
import { createSecretBox } from '../kit/secret-box.ts'
import { openLayout } from '../store/folder/layout.ts'
import { loadPepper } from '../store/folder/pepper.ts'
import type { WebhookStores } from '../usecases/admin/webhook-stores.ts'

/** Returns the addresses that webhooks are sent to. */
export const getAddressPolicy = (config: Config, isDemo: boolean): AddressPolicy => {
  if (isDemo) return 'loopback'
  return config.webhooks.allowPrivate ? 'any' : 'public'
}

/** Creates the box of webhook secrets of the configured data folder. */
export const createWebhookBox = (config: Config): SecretBox =>
  createSecretBox(loadPepper(openLayout(config.data)), 'webhook secrets')

/** Composes the administration of webhooks of an open engine. */
export function composeWebhooks(
  engine: Engine,
  config: Config,
  policy = getAddressPolicy(config, false),
): WebhookStores {
  const secrets = createWebhookBox(config)
  const { nowMs } = systemClock
  const sender = createWebhookSender(policy, nowMs)
  return {
    webhooks: engine.webhooks,
    keys: engine.keys,
    clock: systemClock,
    secrets,
    createSecret: createWebhookSecret,
    findUrlProblem: url => findUrlProblem(url, policy),
    send: target => sendEvent(target, sender, { secrets, nowMs }),
    newId: kind => `${kind}_${uuidv7()}`,
  }
}
