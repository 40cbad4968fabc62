import { getDefaultVersion, type Lifecycle } from '../../../versions/lifecycle.ts'
import { compareDocuments, type Difference } from '../../../web/reference/differences.ts'
import type { OpenApiDocument } from '../../../web/reference/openapi.ts'
import { findDocument, listVersionDocuments } from '../../openapi/served-documents.ts'
import type { ReferenceSettings } from './reference.ts'

/** Two versions and the differences between them. */
export interface VersionDifferences {
  readonly before: string
  readonly after: string
  readonly differences: readonly Difference[]
}

/** Compares two versions by their names; undefined if one does not exist or has been deleted. */
export type CompareVersions = (before: string, after: string, nowMs: number) => VersionDifferences | undefined

/**
 * Returns a function that compares versions. Documents change only with the release, and that of beta with the default
 * version, so differences are found once.
 */
export function createVersionDifferences(lifecycle: Lifecycle, settings: ReferenceSettings): CompareVersions {
  const known = new Map<string, VersionDifferences>()
  return (before, after, nowMs) => {
    const key = [before, after, getDefaultVersion(lifecycle, nowMs).name].join()
    const found = known.get(key)
    if (found) return found
    const [old, now] = [before, after].map(
      name => findDocument(lifecycle, settings, name, nowMs) as unknown as OpenApiDocument | undefined,
    )
    if (!old || !now) return undefined
    const made = { before, after, differences: compareDocuments(old, now) }
    known.set(key, made)
    return made
  }
}

/** Returns the name of the version that a version is compared with; beta extends the latest stable one. */
export function previousVersion(lifecycle: Lifecycle, name: string, nowMs: number): string | undefined {
  if (name === 'beta') return getDefaultVersion(lifecycle, nowMs).name
  const names = listVersionDocuments(lifecycle, nowMs).map(({ entry }) => entry.name)
  const at = names.indexOf(name)
  return at > 0 ? names[at - 1] : undefined
}
