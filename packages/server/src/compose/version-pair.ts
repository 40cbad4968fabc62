import type { CompareVersions } from '../http/site/docs/version-differences.ts'
import type { VersionPair } from '../management/version-pair.ts'
import type { Lifecycle } from '../versions/lifecycle.ts'
import { findVersion } from '../versions/select.ts'

/**
 * Returns a function that compares two versions by their names, with their presenters; undefined if one does not exist
 * or has been deleted.
 */
export function createVersionComparison(
  lifecycle: Lifecycle,
  compare: CompareVersions,
): (before: string, after: string, nowMs: number) => VersionPair | undefined {
  return (before, after, nowMs) => {
    const [from, to] = [before, after].map(name => findVersion(lifecycle, name, nowMs)?.version)
    const compared = from && to && compare(before, after, nowMs)
    return compared && { differences: compared.differences, before: from.present, after: to.present }
  }
}
