import { findDocument } from '../http/openapi/served-documents.ts'
import type { ReferenceSettings } from '../http/site/docs/reference.ts'
import type { VersionPair } from '../management/version-pair.ts'
import { getDefaultVersion, type Lifecycle } from '../versions/lifecycle.ts'
import { findVersion } from '../versions/select.ts'
import { compareDocuments, type Difference } from '../web/reference/differences.ts'
import type { OpenApiDocument } from '../web/reference/openapi.ts'

/**
 * Returns a function that compares two versions by their names; undefined if one does not exist or has been deleted.
 * Documents change only with the release, and that of beta with the default version, so differences are found once.
 */
export function createVersionComparison(
  lifecycle: Lifecycle,
  settings: ReferenceSettings,
): (before: string, after: string, nowMs: number) => VersionPair | undefined {
  const known = new Map<string, readonly Difference[]>()
  return (before, after, nowMs) => {
    const [from, to] = [before, after].map(name => findVersion(lifecycle, name, nowMs)?.version)
    if (!from || !to) return undefined
    const key = [from, to, getDefaultVersion(lifecycle, nowMs)].map(({ name }) => name).join()
    const document = (name: string) => findDocument(lifecycle, settings, name, nowMs) as unknown as OpenApiDocument
    const differences = known.get(key) ?? compareDocuments(document(before), document(after))
    known.set(key, differences)
    return { differences, before: from.present, after: to.present }
  }
}
