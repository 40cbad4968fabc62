import type { Lifecycle } from '../lifecycle.ts'
import type { RegisteredVersion } from '../registry.ts'
import { createTerra } from './index.ts'

/**
 * Returns the lifecycle of the Terra profile: version 1 in the form of Terra, which is the default whatever the service
 * has, and the retired versions before it. Terra's own later versions are not known, so that the profile has none.
 */
export const toTerraLifecycle = ({ versions, endpoints }: Lifecycle): Lifecycle => ({
  endpoints,
  versions: versions.filter(({ name }) => name === '0' || name === '1').map(toTerraEntry),
})

function toTerraEntry(entry: RegisteredVersion): RegisteredVersion {
  if (entry.name === '0') return entry
  const { version, ...rest } = entry
  // A version without presenters is retired.
  if (version === undefined || entry.status === 'retired') return { ...rest, status: 'stable' }
  return { ...rest, status: 'stable', version: createTerra(version) }
}
