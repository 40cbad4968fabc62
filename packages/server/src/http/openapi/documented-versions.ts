import { getBetaVersion, isRetired, type Lifecycle } from '../../versions/lifecycle.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import type { DocumentedVersion } from './document.ts'

/** A documented version with the name of its files: `v1`, `beta`. */
export interface NamedVersion {
  readonly name: string
  readonly entry: RegisteredVersion & { readonly version: DocumentedVersion }
}

/** Returns the versions that are served and documented, oldest first, beta last. */
export function listDocumentedVersions(lifecycle: Lifecycle, nowMs: number): NamedVersion[] {
  const beta = getBetaVersion(lifecycle, nowMs)
  return [...lifecycle.versions.filter(entry => !isRetired(entry, nowMs)), ...(beta ? [beta] : [])]
    .filter(isDocumented)
    .map(entry => ({ name: entry === beta ? 'beta' : `v${entry.name}`, entry }))
}

const isDocumented = (entry: RegisteredVersion): entry is NamedVersion['entry'] => entry.version?.schemas !== undefined
