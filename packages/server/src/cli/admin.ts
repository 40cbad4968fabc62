import { type Admin, composeAdmin } from '../compose/admin.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** Runs `work` with the partners and keys of the data folder, and closes them. */
export async function withAdmin(flags: CommonFlags, work: (admin: Admin) => Promise<void>): Promise<void> {
  const admin = composeAdmin(loadCommandConfig(flags).config)
  try {
    await work(admin)
  } finally {
    await admin.close()
  }
}
