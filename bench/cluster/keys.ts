import { composeAdmin } from '../../packages/server/src/compose/admin.ts'
import { findConfigErrors } from '../../packages/server/src/compose/configuration.ts'
import { openConfiguredEngine } from '../../packages/server/src/compose/engine.ts'
import { loadConfig } from '../../packages/server/src/config/load.ts'
import { isAdminFault } from '../../packages/server/src/domain/admin-fault.ts'
import { createKey } from '../../packages/server/src/usecases/admin/create-key.ts'
import { highLimits } from '../../packages/server/test/high-limits.ts'

/** Creates keys without effective limits in the stores that the environment names, and returns their secrets. */
export async function createKeys(folder: string, env: NodeJS.ProcessEnv, count: number): Promise<string[]> {
  const { config } = loadConfig({ defaultFile: '', env, flags: { data: folder }, check: findConfigErrors })
  const engine = openConfiguredEngine(config, { create: true })
  const admin = composeAdmin(engine, config)
  const secrets: string[] = []
  try {
    while (secrets.length < count) {
      const actor = { kind: 'system', id: 'bench', via: 'system' } as const
      const made = await createKey(admin, actor, {
        partnerId: 'default',
        packageName: 'transform',
        agreement: highLimits,
      })
      if (isAdminFault(made)) throw new Error(made.fault)
      secrets.push(made.secret)
    }
  } finally {
    await engine.close()
  }
  return secrets
}
