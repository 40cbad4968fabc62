import type { VersionStatus } from '../domain/lifecycle.ts'
import { v0 } from './v0/index.ts'
import { v1 } from './v1/index.ts'
import { v2 } from './v2/index.ts'
import type { Version } from './version.ts'

/** A version and where it stands in its life, unless the operator says otherwise. Dates in milliseconds since 1970. */
export interface RegisteredVersion {
  readonly name: string
  readonly status: VersionStatus
  readonly deprecatedMs?: number
  readonly sunsetMs?: number
  /** Absent once a version's folder was deleted: its number is still known and answers 410. */
  readonly version?: Version
}

/** Every major version that ever was, oldest first (SPEC §9.1, R-16). Beta follows from the latest stable one. */
export const registry: readonly RegisteredVersion[] = [
  {
    name: '0',
    status: 'deprecated',
    deprecatedMs: Date.UTC(2024, 10, 6),
    sunsetMs: Date.UTC(2025, 10, 6),
    version: v0,
  },
  { name: '1', status: 'stable', version: v1 },
  { name: '2', status: 'preview', version: v2 },
]
