import { getBetaVersion, isRetired, type Lifecycle } from '../../versions/lifecycle.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import { findVersion, listAcceptedVersions } from '../../versions/select.ts'
import { createOpenApiDocument, type DocumentedVersion } from './document.ts'
import { createFeedDocument } from './feed-document.ts'
import type { DocumentSettings } from './parts.ts'
import { createRecordsDocument } from './records-document.ts'

type Document = Readonly<Record<string, unknown>>

/** The document of a version: the name of its file, as in `v1` or `beta`, and the version. */
export interface VersionDocument {
  readonly name: string
  readonly entry: RegisteredVersion
}

/** Lists the documents of the versions that are served, oldest first, beta last. */
export function listServedDocuments(lifecycle: Lifecycle, nowMs: number): VersionDocument[] {
  const beta = getBetaVersion(lifecycle, nowMs)
  return [...lifecycle.versions.filter(entry => !isRetired(entry, nowMs)), ...(beta ? [beta] : [])]
    .filter(({ version }) => version?.schemas !== undefined)
    .map(toVersionDocument)
}

/** Lists the documents of all versions: those that are served, and those that remain in feeds (SPEC §9.1.8). */
export function listVersionDocuments(lifecycle: Lifecycle, nowMs: number): VersionDocument[] {
  const beta = getBetaVersion(lifecycle, nowMs)
  return [...lifecycle.versions, ...(beta ? [beta] : [])]
    .filter(({ version }) => version !== undefined)
    .map(toVersionDocument)
}

const toVersionDocument = (entry: RegisteredVersion): VersionDocument => ({
  name: entry.name === 'beta' ? 'beta' : `v${entry.name}`,
  entry,
})

/** Returns the document of a version by its name (`1`, `v1`, `beta`; R-15), or undefined if it has none. */
export function findDocument(
  lifecycle: Lifecycle,
  settings: DocumentSettings,
  name: string,
  nowMs: number,
): Document | undefined {
  const entry = findVersion(lifecycle, name, nowMs)
  if (!entry?.version) return undefined
  if (!entry.version.schemas) return createRecordsDocument(entry.version, settings)
  const isDeprecated = (deprecatedMs: number | undefined) => deprecatedMs !== undefined && nowMs >= deprecatedMs
  return createOpenApiDocument(entry.version as DocumentedVersion, {
    ...settings,
    deprecated: operation =>
      isDeprecated(entry.deprecatedMs) || isDeprecated(lifecycle.endpoints[operation]?.deprecatedMs),
  })
}

/** Returns the document of the feeds at the given time. */
export const getFeedDocument = (lifecycle: Lifecycle, settings: DocumentSettings, nowMs: number): Document =>
  createFeedDocument(settings, listAcceptedVersions(lifecycle, nowMs))
