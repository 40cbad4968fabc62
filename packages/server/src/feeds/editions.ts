import { type Edition, type FeedPins, feedNames, type Manifest } from '../domain/feed.ts'
import { findSuccessor, getDefaultVersion, type Lifecycle } from '../versions/lifecycle.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import type { RegisteredVersion } from '../versions/registry.ts'
import type { Version } from '../versions/version.ts'

/** An edition to build, with the presenters of its version and the deprecation that its manifests announce. */
export interface PlannedEdition extends Edition {
  readonly presenters: Version
  readonly deprecation?: NonNullable<Manifest['deprecation']>
}

/**
 * Returns the editions to build: each feed in the latest stable version and in the versions that keys are pinned to
 * . Feeds of a version continue after its sunset until the operator ends them; `ended` lists the ended versions.
 */
export function planEditions(
  lifecycle: Lifecycle,
  pins: readonly FeedPins[],
  ended: readonly string[],
  nowMs: number,
): PlannedEdition[] {
  const latest = getDefaultVersion(lifecycle, nowMs).name
  return feedNames.flatMap(feed => {
    const versions = new Set([latest, ...pins.map(one => one[feed])])
    return lifecycle.versions.flatMap(entry =>
      entry.version && versions.has(entry.name) && !ended.includes(entry.name)
        ? [{ feed, version: entry.name, presenters: entry.version, ...getDeprecation(lifecycle, entry, nowMs) }]
        : [],
    )
  })
}

/** Returns the deprecation that manifests of a version announce; empty if it is not deprecated. */
export function getDeprecation(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  nowMs: number,
): Pick<Manifest, 'deprecation'> {
  if (entry.deprecatedMs === undefined || nowMs < entry.deprecatedMs) return {}
  const successor = findSuccessor(lifecycle, entry, nowMs)
  return {
    deprecation: {
      deprecated_at: formatTimestamp(entry.deprecatedMs),
      ...(entry.sunsetMs !== undefined && { sunset_at: formatTimestamp(entry.sunsetMs) }),
      ...(successor && { successor_version: successor.name }),
    },
  }
}
