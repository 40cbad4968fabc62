import { type Fault, fault } from '../../domain/fault.ts'
import type { Operation } from '../../domain/operation.ts'
import { type DeprecationNotice, deprecationHeaders } from '../../versions/deprecation-headers.ts'
import { type Lifecycle, successorOf } from '../../versions/lifecycle.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import { type Selection, selectVersion } from '../../versions/select.ts'

/** What the life of versions and endpoints means for one request: a version or a refusal, and headers for either. */
export interface VersionDecision {
  readonly selected: Selection | Fault
  /** Deprecation, Sunset and Link, for every answer. */
  readonly lifecycleHeaders: Readonly<Record<string, string>> | undefined
}

interface VersionRequest {
  readonly operation: Operation
  readonly query: RawQuery
  /** Below the service's root, without a query. */
  readonly path: string
  readonly publicUrl: string
  readonly nowMs: number
}

/** what has ended answers 410, then 400 for a version that never was. */
export function decideVersion(lifecycle: Lifecycle, asked: VersionRequest): VersionDecision {
  const outcome = selectVersion(lifecycle, asked.query, asked.nowMs)
  const { entry } = outcome
  const endpoint = lifecycle.endpoints[asked.operation]
  const sent =
    endpoint || entry?.deprecatedMs !== undefined
      ? deprecationHeaders(
          [...(entry ? [versionEnding(lifecycle, entry, asked)] : []), ...endpointEnding(lifecycle, asked)],
          asked.nowMs,
        )
      : undefined
  const refused = 'fault' in outcome ? outcome.fault : undefined
  if (refused?.fault === 'version_retired') return { selected: refused, lifecycleHeaders: sent }
  if (endpoint && asked.nowMs >= (endpoint.sunsetMs ?? Number.POSITIVE_INFINITY))
    return { selected: endpointRetired(endpoint.sunsetMs!), lifecycleHeaders: sent }
  return { selected: 'fault' in outcome ? outcome.fault : outcome, lifecycleHeaders: sent }
}

function versionEnding(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  { path, publicUrl, nowMs }: VersionRequest,
): DeprecationNotice {
  const successor = successorOf(lifecycle, entry, nowMs)
  return {
    ...spanOf(entry),
    about: `${publicUrl}/docs/versions#${entry.name}`,
    ...(successor && { successor: withVersion(publicUrl, path, successor.name) }),
  }
}

function endpointEnding({ endpoints }: Lifecycle, { operation, publicUrl }: VersionRequest): DeprecationNotice[] {
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

const spanOf = ({ deprecatedMs, sunsetMs }: RegisteredVersion | Lifecycle['endpoints'][string]) => ({
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
