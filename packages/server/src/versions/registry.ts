import type { VersionStatus } from '../domain/lifecycle.ts'
import { v0 } from './v0/index.ts'
import { v1 } from './v1/index.ts'
import { v2 } from './v2/index.ts'
import type { Version } from './version.ts'

/** A major version with its lifecycle status and dates (milliseconds since 1970), before the operator's settings. */
export interface RegisteredVersion {
  readonly name: string
  readonly status: VersionStatus
  /** First day on which the version was served; undefined if it is not announced in `/changelog.atom`. */
  readonly releasedMs?: number
  readonly deprecatedMs?: number
  readonly sunsetMs?: number
  /** Undefined once the version's folder has been deleted; its number then returns 410. */
  readonly version?: Version
}

/** All major versions ever released, oldest first (SPEC §9.1, R-16). Beta is derived from the latest stable version. */
export const registry: readonly RegisteredVersion[] = [
  {
    name: '0',
    status: 'deprecated',
    deprecatedMs: Date.UTC(2024, 10, 6),
    sunsetMs: Date.UTC(2025, 10, 6),
    version: v0,
  },
  { name: '1', status: 'stable', releasedMs: Date.UTC(2024, 10, 6), version: v1 },
  { name: '2', status: 'preview', releasedMs: Date.UTC(2026, 10, 21), version: v2 },
]
