import { type Admin, composeAdmin } from '../compose/admin.ts'
import { withEngine } from '../compose/engine.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** Runs `work` with the partners and keys of the data folder, and closes them. */
export async function withAdmin(flags: CommonFlags, work: (admin: Admin) => Promise<void>): Promise<void> {
  const { config } = loadCommandConfig(flags)
  await withEngine(config, { create: true }, engine => work(composeAdmin(engine, config)))
}
