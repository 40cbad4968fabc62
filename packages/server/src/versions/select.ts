import { type Fault, fault } from '../domain/fault.ts'
import { findSuccessor, getBetaVersion, getDefaultVersion, isRetired, type Lifecycle } from './lifecycle.ts'
import { getValues, type RawQuery } from './primitives/param.ts'
import type { RegisteredVersion } from './registry.ts'
import type { Version } from './version.ts'

/** The version selected for a request; `explicit` is true if the request contains it. */
export interface Selection {
  readonly entry: RegisteredVersion
  readonly version: Version
  readonly explicit: boolean
}

/** The fault of a failed selection; `entry` is the requested version, if it exists. */
export interface SelectionFailure {
  readonly entry?: RegisteredVersion
  readonly fault: Fault
}

/** A version as a request names it. */
interface NamedVersion {
  readonly value: string
  /** The place in which it was sent: `version=`. */
  readonly place: string
}

/**
 * Selects the version of a request by its `version` parameter, the alias `api-version` or the request header
 * `API-Version` (SPEC §9.1, R-15). Without any of them, selects the default version. All of them must name the
 * same version.
 */
export function selectVersion(
  lifecycle: Lifecycle,
  query: RawQuery,
  nowMs: number,
  header?: string,
): Selection | SelectionFailure {
  const named = listNamedVersions(query, header)
  const [first] = named
  if (first === undefined) return selectServed(lifecycle, getDefaultVersion(lifecycle, nowMs), false, nowMs)
  const entry = findVersion(lifecycle, first.value, nowMs)
  const other = named.find(name => name !== first && findVersion(lifecycle, name.value, nowMs) !== entry)
  if (other !== undefined)
    return failUnknownVersion(
      other.value,
      `The request names more than one version: ${formatSent(first)} and ${formatSent(other)}. Send one version`,
    )
  return entry
    ? selectServed(lifecycle, entry, true, nowMs)
    : failUnknownVersion(first.value, `version must be one of ${listAcceptedVersions(lifecycle, nowMs).join(', ')}`)
}

/**
 * Returns every version that a request names. A header that was sent several times arrives as one comma-separated
 * value.
 */
function listNamedVersions(query: RawQuery, header: string | undefined): NamedVersion[] {
  const named: NamedVersion[] = []
  for (const text of getValues(query, 'version')) named.push(toNamedVersion('version=', text))
  for (const text of getValues(query, 'api-version')) named.push(toNamedVersion('api-version=', text))
  if (header !== undefined) for (const text of header.split(',')) named.push(toNamedVersion('API-Version: ', text))
  return named
}

const toNamedVersion = (place: string, text: string): NamedVersion => ({ value: text.trim(), place })

/** Formats a version as it was sent: `version=1`. */
const formatSent = ({ place, value }: NamedVersion): string =>
  place + (value.length > 20 ? `${value.slice(0, 20)}…` : value)

/** Returns the version with the given name: `1`, `v1` and `V1` are equivalent, and `beta` is beta. */
export function findVersion(lifecycle: Lifecycle, value: string, nowMs: number): RegisteredVersion | undefined {
  const name = value.toLowerCase()
  if (name === 'beta') return getBetaVersion(lifecycle, nowMs)
  const bare = name.startsWith('v') ? name.slice(1) : name
  return lifecycle.versions.find(entry => entry.name === bare || entry.name === name)
}

/** Returns all values that the `version` parameter accepts at the given time. */
export const listAcceptedVersions = (lifecycle: Lifecycle, nowMs: number): string[] => [
  ...lifecycle.versions.filter(entry => !isRetired(entry, nowMs)).flatMap(({ name }) => [name, `v${name}`]),
  ...(getBetaVersion(lifecycle, nowMs) ? ['beta'] : []),
]

/** Selects a version, or fails with 410 if it is retired. */
function selectServed(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  explicit: boolean,
  nowMs: number,
): Selection | SelectionFailure {
  if (entry.version && !isRetired(entry, nowMs)) return { entry, version: entry.version, explicit }
  const since = entry.sunsetMs === undefined ? '' : ` on ${new Date(entry.sunsetMs).toUTCString()}`
  const successor = findSuccessor(lifecycle, entry, nowMs)
  const advice = successor ? ` Use version=${successor.name}.` : ''
  return { entry, fault: fault('version_retired', { detail: `Version ${entry.name} was retired${since}.${advice}` }) }
}

const failUnknownVersion = (rejectedValue: string, message: string): SelectionFailure => ({
  fault: fault('version_unknown', {
    detail: `${message}.`,
    fieldErrors: [{ field: 'version', message: `${message}.`, rejectedValue: rejectedValue.slice(0, 200) }],
  }),
})
