import { withEngine } from '../compose/engine.ts'
import { composeIdentity, getManagementUrl } from '../compose/identity.ts'
import type { Identity } from '../usecases/admin/identity.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** Runs `work` with the users of the data folder and the URL of the management server. */
export async function withIdentity(
  flags: CommonFlags,
  work: (identity: Identity, managementUrl: string) => Promise<void>,
): Promise<void> {
  const { config } = loadCommandConfig(flags)
  await withEngine(config, { create: true }, engine => work(composeIdentity(engine, config), getManagementUrl(config)))
}
