import { type Fault, fault } from '../domain/fault.ts'
import { betaVersion, defaultVersion, isRetired, type Plan, successorOf } from './plan.ts'
import { occurrences, type RawQuery } from './primitives/param.ts'
import type { Registered } from './registry.ts'
import type { Version } from './version.ts'

/** The version of a request, and whether it named it. */
export interface Selection {
  readonly entry: Registered
  readonly version: Version
  readonly explicit: boolean
}

/** Why there is none; `entry` is the version that was meant, where one was. */
export interface Unselected {
  readonly entry?: Registered
  readonly fault: Fault
}

/** SPEC §9.1, R-15, R-16: `version`, or its alias `api-version`; nothing sent means the latest stable one. */
export function selectVersion(plan: Plan, query: RawQuery, nowMs: number): Selection | Unselected {
  const asked = [...occurrences(query, 'version'), ...occurrences(query, 'api-version')].map(text => text.trim())
  const first = asked[0]
  if (first === undefined) return served(plan, defaultVersion(plan, nowMs), false, nowMs)
  const entry = named(plan, first, nowMs)
  const other = asked.find(value => named(plan, value, nowMs) !== entry)
  if (other !== undefined)
    return unknown(other, `version and api-version name different versions: ${first} and ${other}`)
  return entry
    ? served(plan, entry, true, nowMs)
    : unknown(first, `version must be one of ${accepted(plan, nowMs).join(', ')}`)
}

/** `1`, `v1` and `V1` are one; beta has no number. */
export function named(plan: Plan, value: string, nowMs: number): Registered | undefined {
  const name = value.toLowerCase()
  if (name === 'beta') return betaVersion(plan, nowMs)
  return plan.versions.find(entry => name === entry.name || name === `v${entry.name}`)
}

/** Every value that is answered at present. */
export const accepted = (plan: Plan, nowMs: number): string[] => [
  ...plan.versions.filter(entry => !isRetired(entry, nowMs)).flatMap(({ name }) => [name, `v${name}`]),
  ...(betaVersion(plan, nowMs) ? ['beta'] : []),
]

function served(plan: Plan, entry: Registered, explicit: boolean, nowMs: number): Selection | Unselected {
  if (entry.version && !isRetired(entry, nowMs)) return { entry, version: entry.version, explicit }
  const since = entry.sunsetMs === undefined ? '' : ` on ${new Date(entry.sunsetMs).toUTCString()}`
  const successor = successorOf(plan, entry, nowMs)
  const advice = successor ? ` Use version=${successor.name}.` : ''
  return { entry, fault: fault('version_retired', { detail: `Version ${entry.name} was retired${since}.${advice}` }) }
}

const unknown = (rejectedValue: string, message: string): Unselected => ({
  fault: fault('version_unknown', {
    detail: `${message}.`,
    fieldErrors: [{ field: 'version', message: `${message}.`, rejectedValue: rejectedValue.slice(0, 200) }],
  }),
})
