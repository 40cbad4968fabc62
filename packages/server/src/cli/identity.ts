import { withEngine } from '../compose/engine.ts'
import { composeIdentity } from '../compose/identity.ts'
import type { Config } from '../config/load.ts'
import type { Identity } from '../usecases/admin/identity.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** Runs `work` with the users of the data folder and the configuration. */
export async function withIdentity(
  flags: CommonFlags,
  work: (identity: Identity, config: Config) => Promise<void>,
): Promise<void> {
  const { config } = loadCommandConfig(flags)
  await withEngine(config, { create: true }, engine => work(composeIdentity(engine, config), config))
}
