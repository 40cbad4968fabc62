import { type Fault, fault } from '../domain/fault.ts'
import { betaVersion, defaultVersion, isRetired, type Lifecycle, successorOf } from './lifecycle.ts'
import { occurrences, type RawQuery } from './primitives/param.ts'
import type { RegisteredVersion } from './registry.ts'
import type { Version } from './version.ts'

/** The version of a request, and whether it named it. */
export interface Selection {
  readonly entry: RegisteredVersion
  readonly version: Version
  readonly explicit: boolean
}

/** Why there is none; `entry` is the version that was meant, where one was. */
export interface SelectionFailure {
  readonly entry?: RegisteredVersion
  readonly fault: Fault
}

/** SPEC §9.1, R-15, R-16: `version`, or its alias `api-version`; nothing sent means the latest stable one. */
export function selectVersion(lifecycle: Lifecycle, query: RawQuery, nowMs: number): Selection | SelectionFailure {
  const asked = [...occurrences(query, 'version'), ...occurrences(query, 'api-version')].map(text => text.trim())
  const first = asked[0]
  if (first === undefined) return served(lifecycle, defaultVersion(lifecycle, nowMs), false, nowMs)
  const entry = findVersion(lifecycle, first, nowMs)
  const other = asked.find(value => findVersion(lifecycle, value, nowMs) !== entry)
  if (other !== undefined)
    return unknown(other, `version and api-version name different versions: ${first} and ${other}`)
  return entry
    ? served(lifecycle, entry, true, nowMs)
    : unknown(first, `version must be one of ${acceptedVersions(lifecycle, nowMs).join(', ')}`)
}

/** `1`, `v1` and `V1` are one; beta has no number. */
export function findVersion(lifecycle: Lifecycle, value: string, nowMs: number): RegisteredVersion | undefined {
  const name = value.toLowerCase()
  if (name === 'beta') return betaVersion(lifecycle, nowMs)
  return lifecycle.versions.find(entry => name === entry.name || name === `v${entry.name}`)
}

/** Every value that is answered at present. */
export const acceptedVersions = (lifecycle: Lifecycle, nowMs: number): string[] => [
  ...lifecycle.versions.filter(entry => !isRetired(entry, nowMs)).flatMap(({ name }) => [name, `v${name}`]),
  ...(betaVersion(lifecycle, nowMs) ? ['beta'] : []),
]

function served(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  explicit: boolean,
  nowMs: number,
): Selection | SelectionFailure {
  if (entry.version && !isRetired(entry, nowMs)) return { entry, version: entry.version, explicit }
  const since = entry.sunsetMs === undefined ? '' : ` on ${new Date(entry.sunsetMs).toUTCString()}`
  const successor = successorOf(lifecycle, entry, nowMs)
  const advice = successor ? ` Use version=${successor.name}.` : ''
  return { entry, fault: fault('version_retired', { detail: `Version ${entry.name} was retired${since}.${advice}` }) }
}

const unknown = (rejectedValue: string, message: string): SelectionFailure => ({
  fault: fault('version_unknown', {
    detail: `${message}.`,
    fieldErrors: [{ field: 'version', message: `${message}.`, rejectedValue: rejectedValue.slice(0, 200) }],
  }),
})
