import { withEngine } from '../compose/engine.ts'
import { composeWebhooks } from '../compose/webhooks.ts'
import type { WebhookStores } from '../usecases/admin/webhook-stores.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** Runs `work` with the webhooks of the data folder. */
export async function withWebhooks(flags: CommonFlags, work: (stores: WebhookStores) => Promise<void>): Promise<void> {
  const { config } = loadCommandConfig(flags)
  await withEngine(config, { create: true }, engine => work(composeWebhooks(engine, config)))
}
