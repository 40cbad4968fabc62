import { getBetaVersion, isRetired, type Lifecycle } from '../../versions/lifecycle.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import { findVersion, listAcceptedVersions } from '../../versions/select.ts'
import { createOpenApiDocument, type DocumentedVersion } from './document.ts'
import { createFeedDocument } from './feed-document.ts'
import type { DocumentSettings } from './parts.ts'
import { createRecordsDocument } from './records-document.ts'

type Document = Readonly<Record<string, unknown>>

/** A version with a document, and the name of its files: `v1`, `beta`. */
export interface NamedVersion {
  readonly name: string
  readonly entry: RegisteredVersion
}

/** Returns the versions whose operations are served and documented, oldest first, beta last. */
export function listDocumentedVersions(lifecycle: Lifecycle, nowMs: number): NamedVersion[] {
  const beta = getBetaVersion(lifecycle, nowMs)
  return [...lifecycle.versions.filter(entry => !isRetired(entry, nowMs)), ...(beta ? [beta] : [])]
    .filter(({ version }) => version?.schemas !== undefined)
    .map(toNamed)
}

/** Returns the versions that have a document: those that are served, and those that remain in feeds (SPEC §9.1.8). */
export function listVersionsWithDocument(lifecycle: Lifecycle, nowMs: number): NamedVersion[] {
  const beta = getBetaVersion(lifecycle, nowMs)
  return [...lifecycle.versions, ...(beta ? [beta] : [])].filter(({ version }) => version !== undefined).map(toNamed)
}

const toNamed = (entry: RegisteredVersion): NamedVersion => ({
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
