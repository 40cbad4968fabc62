import { betaVersion, isRetired, type Lifecycle } from '../../versions/lifecycle.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import type { Documented } from './document.ts'

/** A version with a document, under the name of its files: `v1`, `beta`. */
export interface Catalogued {
  readonly name: string
  readonly entry: RegisteredVersion & { readonly version: Documented }
}

/** Every version that is served and documented, oldest first, beta last. */
export function documentedVersions(lifecycle: Lifecycle, nowMs: number): Catalogued[] {
  const beta = betaVersion(lifecycle, nowMs)
  return [...lifecycle.versions.filter(entry => !isRetired(entry, nowMs)), ...(beta ? [beta] : [])]
    .filter(isDocumented)
    .map(entry => ({ name: entry === beta ? 'beta' : `v${entry.name}`, entry }))
}

const isDocumented = (entry: RegisteredVersion): entry is Catalogued['entry'] => entry.version?.schemas !== undefined
