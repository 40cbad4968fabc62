import { betaVersion, isRetired, type Plan } from '../../versions/plan.ts'
import type { Registered } from '../../versions/registry.ts'
import type { Documented } from './document.ts'

/** A version with a document, under the name of its files: `v1`, `beta`. */
export interface Catalogued {
  readonly name: string
  readonly entry: Registered & { readonly version: Documented }
}

/** Every version that is served and documented, oldest first, beta last. */
export function documentedVersions(plan: Plan, nowMs: number): Catalogued[] {
  const beta = betaVersion(plan, nowMs)
  return [...plan.versions.filter(entry => !isRetired(entry, nowMs)), ...(beta ? [beta] : [])]
    .filter(isDocumented)
    .map(entry => ({ name: entry === beta ? 'beta' : `v${entry.name}`, entry }))
}

const isDocumented = (entry: Registered): entry is Catalogued['entry'] => entry.version?.schemas !== undefined
