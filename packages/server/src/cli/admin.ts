import { type Admin, composeAdmin } from '../compose/admin.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** Opens partners and keys of the data folder for the work of a command. */
export async function withAdmin(flags: CommonFlags, work: (admin: Admin) => Promise<void>): Promise<void> {
  const admin = composeAdmin(loadCommandConfig(flags).config)
  try {
    await work(admin)
  } finally {
    await admin.close()
  }
}
