import type { Actor } from '../../domain/actor.ts'
import type { ConfigStatus } from '../../domain/config-status.ts'
import type { RelyingKey, UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { listRelyingKeys } from './list-relying-keys.ts'

/** A checked configuration. */
export interface CheckedConfig extends ConfigStatus {
  readonly relyingKeys: readonly RelyingKey[]
}

/**
 * Checks a valid configuration for warnings, and lists the keys that a change of the default version would affect
 * (R-16).
 */
export async function checkConfig(
  { config, usage }: { readonly config: ConfigStatus; readonly usage: UsageAccess | undefined },
  actor: Actor,
): Promise<CheckedConfig> {
  // A configuration can be checked before the data folder exists.
  return { ...config, relyingKeys: usage ? await listRelyingKeys(usage, actor) : [] }
}

/** Usage of the data folder. */
interface UsageAccess {
  readonly usage: UsageReports
  readonly clock: Clock
}
