import type { Config } from '../config/load.ts'
import type { VersionDates } from '../events/dated.ts'
import { findSuccessor, resolveLifecycle } from '../versions/lifecycle.ts'

/** Returns the dates of all versions of this installation. */
export function listVersionDates(config: Config, nowMs: number): VersionDates[] {
  const lifecycle = resolveLifecycle(config)
  return lifecycle.versions.map(version => {
    const { name, deprecatedMs, sunsetMs } = version
    const successor = findSuccessor(lifecycle, version, nowMs)?.name
    return {
      name,
      ...(deprecatedMs !== undefined && { deprecatedMs }),
      ...(sunsetMs !== undefined && { sunsetMs }),
      ...(successor !== undefined && { successor }),
    }
  })
}
