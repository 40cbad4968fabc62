import { type Fault, fault } from '../../domain/fault.ts'
import type { Operation } from '../../domain/operation.ts'
import { type Plan, successorOf } from '../../versions/plan.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { Registered } from '../../versions/registry.ts'
import { type Selection, selectVersion } from '../../versions/select.ts'
import { type Ending, signals } from '../../versions/signals.ts'

/** What the life of versions and endpoints means for one request: a version or a refusal, and headers for either. */
export interface Standing {
  readonly selected: Selection | Fault
  /** Deprecation, Sunset and Link, for every answer. */
  readonly signals: Readonly<Record<string, string>> | undefined
}

interface Asked {
  readonly operation: Operation
  readonly query: RawQuery
  /** Below the service's root, without a query. */
  readonly path: string
  readonly publicUrl: string
  readonly nowMs: number
}

/** what has ended answers 410, then 400 for a version that never was. */
export function standing(plan: Plan, asked: Asked): Standing {
  const outcome = selectVersion(plan, asked.query, asked.nowMs)
  const { entry } = outcome
  const endpoint = plan.endpoints[asked.operation]
  const sent =
    endpoint || entry?.deprecatedMs !== undefined
      ? signals([...(entry ? [versionEnding(plan, entry, asked)] : []), ...endpointEnding(plan, asked)], asked.nowMs)
      : undefined
  const refused = 'fault' in outcome ? outcome.fault : undefined
  if (refused?.fault === 'version_retired') return { selected: refused, signals: sent }
  if (endpoint && asked.nowMs >= (endpoint.sunsetMs ?? Number.POSITIVE_INFINITY))
    return { selected: endpointRetired(endpoint.sunsetMs!), signals: sent }
  return { selected: 'fault' in outcome ? outcome.fault : outcome, signals: sent }
}

function versionEnding(plan: Plan, entry: Registered, { path, publicUrl, nowMs }: Asked): Ending {
  const successor = successorOf(plan, entry, nowMs)
  return {
    ...spanOf(entry),
    about: `${publicUrl}/docs/versions#${entry.name}`,
    ...(successor && { successor: withVersion(publicUrl, path, successor.name) }),
  }
}

function endpointEnding({ endpoints }: Plan, { operation, publicUrl }: Asked): Ending[] {
  const endpoint = endpoints[operation]
  if (!endpoint) return []
  const { successor } = endpoint
  const address = successor?.startsWith('/') ? publicUrl + successor : successor
  return [
    {
      ...spanOf(endpoint),
      about: `${publicUrl}/docs/versions#${operation}`,
      ...(address !== undefined && { successor: address }),
    },
  ]
}

const spanOf = ({ deprecatedMs, sunsetMs }: Registered | Plan['endpoints'][string]) => ({
  ...(deprecatedMs !== undefined && { deprecatedMs }),
  ...(sunsetMs !== undefined && { sunsetMs }),
})

/** The same path in another version. What a client may have put into its path is encoded, or left out when long. */
function withVersion(publicUrl: string, path: string, version: string): string {
  const url = new URL(publicUrl)
  url.pathname = url.pathname.replace(/\/$/, '') + (path.length <= 200 ? path : '')
  url.search = `version=${version}`
  return url.href
}

const endpointRetired = (sunsetMs: number): Fault =>
  fault('endpoint_retired', { detail: `This endpoint was retired on ${new Date(sunsetMs).toUTCString()}.` })
