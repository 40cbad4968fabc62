import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, fault } from '../../domain/fault.ts'
import type { Operation } from '../../domain/operation.ts'
import type { DeprecationNotice } from '../../versions/deprecation-headers.ts'
import { findSuccessor, type Lifecycle } from '../../versions/lifecycle.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import { type Selection, selectVersion } from '../../versions/select.ts'
import { isFeedOperation } from './operations/feed-params.ts'
import { findLivingSuccessor, hasEnded } from './successor.ts'

/** The selected version or the fault of its selection, and the deprecation notices for both cases. */
export interface VersionDecision {
  readonly selected: Selection | Fault
  /** Name of the requested or default version, if it exists. */
  readonly version: string | undefined
  /** Notices about the version and the endpoint, for Deprecation, Sunset and Link. */
  readonly notices: readonly DeprecationNotice[]
}

/** The parts of a request that determine its version and deprecation headers. */
interface VersionRequest {
  readonly operation: Operation
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
  /** Path and query, without secrets. */
  readonly target: string
  /** Path of the service's root. */
  readonly basePath: string
  readonly publicUrl: string
  readonly nowMs: number
}

const noNotices: readonly DeprecationNotice[] = []

/**
 * Selects the version of a request: 410 for a retired version or endpoint, then 400 for an unknown
 * version.
 */
export function decideVersion(lifecycle: Lifecycle, request: VersionRequest): VersionDecision {
  const header = request.headers['api-version'] as string | undefined
  const outcome = selectVersion(lifecycle, request.query, request.nowMs, header)
  const { entry } = outcome
  const endpoint = lifecycle.endpoints[request.operation]
  const notices =
    endpoint || entry?.deprecatedMs !== undefined
      ? [...(entry ? [versionNotice(lifecycle, entry, request)] : []), ...endpointNotices(lifecycle, request)]
      : noNotices
  const refused = 'fault' in outcome ? outcome.fault : undefined
  const version = entry?.name
  if (refused?.fault === 'version_retired') return { selected: refused, version, notices }
  if (endpoint && hasEnded(endpoint, request.nowMs))
    return { selected: toEndpointRetired(endpoint.sunsetMs!), version, notices }
  return { selected: 'fault' in outcome ? outcome.fault : outcome, version, notices }
}

function versionNotice(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  { operation, target, basePath, publicUrl, nowMs }: VersionRequest,
): DeprecationNotice {
  const endpoint = lifecycle.endpoints[operation]
  // An endpoint is retired in every version: the same path in a later version would be 410, too.
  const successor = endpoint && hasEnded(endpoint, nowMs) ? undefined : findSuccessor(lifecycle, entry, nowMs)
  const path = target.split('?', 1)[0]!.slice(basePath.length)
  const toPageUrl = (name: string) => `${publicUrl}/docs/versions#${name}`
  // A feed may have ended in the version that the key is pinned to, whatever version the request names.
  const toSuccessorUrl = (name: string) =>
    isFeedOperation(operation) ? toPageUrl(name) : toVersionUrl(publicUrl, path, name)
  return {
    ...pickTimes(entry),
    about: toPageUrl(entry.name),
    ...(successor && { successor: toSuccessorUrl(successor.name) }),
  }
}

function endpointNotices(lifecycle: Lifecycle, { operation, publicUrl, nowMs }: VersionRequest): DeprecationNotice[] {
  const endpoint = lifecycle.endpoints[operation]
  if (!endpoint) return []
  const successor = findLivingSuccessor(lifecycle, operation, publicUrl, nowMs)
  return [
    {
      ...pickTimes(endpoint),
      about: `${publicUrl}/docs/versions#${operation}`,
      ...(successor !== undefined && { successor }),
    },
  ]
}

const pickTimes = ({ deprecatedMs, sunsetMs }: RegisteredVersion | Lifecycle['endpoints'][string]) => ({
  ...(deprecatedMs !== undefined && { deprecatedMs }),
  ...(sunsetMs !== undefined && { sunsetMs }),
})

/** Returns the URL of the same path in another version; omits a path of over 200 characters, which cannot be valid. */
function toVersionUrl(publicUrl: string, path: string, version: string): string {
  const url = new URL(publicUrl)
  url.pathname = url.pathname.replace(/\/$/, '') + (path.length <= 200 ? path : '')
  url.search = `version=${version}`
  return url.href
}

const toEndpointRetired = (sunsetMs: number): Fault =>
  fault('endpoint_retired', { detail: `This endpoint was retired on ${new Date(sunsetMs).toUTCString()}.` })
