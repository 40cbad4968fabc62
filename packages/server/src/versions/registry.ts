import { v1 } from './v1/index.ts'
import type { Version, VersionStatus } from './version.ts'

/** A version and where it stands in its life. Dates in milliseconds since 1970. */
export interface Registered {
  readonly name: string
  readonly status: VersionStatus
  readonly deprecatedMs?: number
  readonly sunsetMs?: number
  /** Absent once a version's folder was deleted: its number is still known and answers 410. */
  readonly version?: Version
}

/** Every version that ever was, oldest first (SPEC §9.1, R-16). */
export const registry: readonly Registered[] = [
  { name: '0', status: 'retired', deprecatedMs: Date.UTC(2024, 10, 6), sunsetMs: Date.UTC(2025, 10, 6) },
  { name: '1', status: 'stable', version: v1 },
]
