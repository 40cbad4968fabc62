import { type Fault, fault } from '../../domain/fault.ts'
import type { Operation } from '../../domain/operation.ts'
import { buildDeprecationHeaders, type DeprecationNotice } from '../../versions/deprecation-headers.ts'
import { findSuccessor, type Lifecycle } from '../../versions/lifecycle.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { RegisteredVersion } from '../../versions/registry.ts'
import { type Selection, selectVersion } from '../../versions/select.ts'

/** The selected version or the fault of its selection, and the deprecation headers for both cases. */
export interface VersionDecision {
  readonly selected: Selection | Fault
  /** Deprecation, Sunset and Link. */
  readonly lifecycleHeaders: Readonly<Record<string, string>> | undefined
}

/** The parts of a request that determine its version and deprecation headers. */
interface VersionRequest {
  readonly operation: Operation
  readonly query: RawQuery
  /** Path below the service's root, without a query. */
  readonly path: string
  readonly publicUrl: string
  readonly nowMs: number
}

/** Selects the version of a request: 410 for a version or endpoint that has ended, then 400 for an unknown version. */
export function decideVersion(lifecycle: Lifecycle, request: VersionRequest): VersionDecision {
  const outcome = selectVersion(lifecycle, request.query, request.nowMs)
  const { entry } = outcome
  const endpoint = lifecycle.endpoints[request.operation]
  const headers =
    endpoint || entry?.deprecatedMs !== undefined
      ? buildDeprecationHeaders(
          [...(entry ? [versionNotice(lifecycle, entry, request)] : []), ...endpointNotices(lifecycle, request)],
          request.nowMs,
        )
      : undefined
  const refused = 'fault' in outcome ? outcome.fault : undefined
  if (refused?.fault === 'version_retired') return { selected: refused, lifecycleHeaders: headers }
  if (endpoint && request.nowMs >= (endpoint.sunsetMs ?? Number.POSITIVE_INFINITY))
    return { selected: toEndpointRetired(endpoint.sunsetMs!), lifecycleHeaders: headers }
  return { selected: 'fault' in outcome ? outcome.fault : outcome, lifecycleHeaders: headers }
}

function versionNotice(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  { path, publicUrl, nowMs }: VersionRequest,
): DeprecationNotice {
  const successor = findSuccessor(lifecycle, entry, nowMs)
  return {
    ...pickTimes(entry),
    about: `${publicUrl}/docs/versions#${entry.name}`,
    ...(successor && { successor: toVersionUrl(publicUrl, path, successor.name) }),
  }
}

function endpointNotices({ endpoints }: Lifecycle, { operation, publicUrl }: VersionRequest): DeprecationNotice[] {
  const endpoint = endpoints[operation]
  if (!endpoint) return []
  const { successor } = endpoint
  const address = successor?.startsWith('/') ? publicUrl + successor : successor
  return [
    {
      ...pickTimes(endpoint),
      about: `${publicUrl}/docs/versions#${operation}`,
      ...(address !== undefined && { successor: address }),
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
