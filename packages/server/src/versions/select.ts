import { type Fault, fault } from '../domain/fault.ts'
import { occurrences, type RawQuery } from './primitives/param.ts'
import { type Registered, registry } from './registry.ts'
import type { Version } from './version.ts'

/** A version that was found, and whether the request named it. */
export interface Selection {
  readonly version: Version
  readonly explicit: boolean
}

const served = registry.filter(entry => entry.version !== undefined)
const latestStable = served.findLast(entry => entry.status === 'stable')!
const defaultSelection: Selection = { version: latestStable.version!, explicit: false }
const byValue = new Map(registry.flatMap(entry => [[entry.name, entry] as const, [`v${entry.name}`, entry] as const]))

/** SPEC §9.1, R-15, R-16: `version`, or its alias `api-version`; nothing sent means the latest stable one. */
export function selectVersion(query: RawQuery): Selection | Fault {
  const asked = [...occurrences(query, 'version'), ...occurrences(query, 'api-version')].map(text => text.trim())
  const first = asked[0]
  if (first === undefined) return defaultSelection
  const entry = byValue.get(first.toLowerCase())
  const other = asked.find(value => byValue.get(value.toLowerCase()) !== entry)
  if (other !== undefined)
    return unknown(other, `version and api-version name different versions: ${first} and ${other}`)
  if (!entry) return unknown(first, `version must be one of ${accepted()}`)
  return entry.version ? { version: entry.version, explicit: true } : retired(entry)
}

const accepted = () => served.flatMap(({ name }) => [name, `v${name}`]).join(', ')

const unknown = (rejectedValue: string, message: string): Fault =>
  fault('version_unknown', {
    detail: `${message}.`,
    fieldErrors: [{ field: 'version', message: `${message}.`, rejectedValue: rejectedValue.slice(0, 200) }],
  })

/** SPEC §7, R-18: 410 with the date from which it held. */
function retired(entry: Registered): Fault {
  const since = entry.sunsetMs === undefined ? undefined : new Date(entry.sunsetMs).toUTCString()
  return fault('version_retired', {
    detail: `Version ${entry.name} was retired${since ? ` on ${since}` : ''}. Use version=${latestStable.name}.`,
    ...(since !== undefined && { headers: { Sunset: since } }),
  })
}
