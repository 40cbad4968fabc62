import type { LifecycleTimes } from '../../domain/lifecycle.ts'
import type { Operation } from '../../domain/operation.ts'
import type { Lifecycle } from '../../versions/lifecycle.ts'
import { selectVersion } from '../../versions/select.ts'
import { routes } from './routes.ts'

/** Returns true for an endpoint whose sunset has passed: it returns 410 in every version. */
export const hasEnded = ({ sunsetMs }: LifecycleTimes, nowMs: number): boolean =>
  nowMs >= (sunsetMs ?? Number.POSITIVE_INFINITY)

/**
 * Returns the absolute URL of the successor that the operator names for an endpoint. A successor that is retired itself
 * is replaced by its own successor. Undefined if no successor answers: the chain ends, returns to itself, or needs a
 * version that has been retired (R-18: Link never leads to another 410).
 */
export function findLivingSuccessor(
  lifecycle: Lifecycle,
  operation: Operation,
  publicUrl: string,
  nowMs: number,
): string | undefined {
  const visited = new Set<Operation>([operation])
  let successor = lifecycle.endpoints[operation]?.successor
  while (successor !== undefined) {
    const url = successor.startsWith('/') ? publicUrl + successor : successor
    const next = findOwnOperation(url, publicUrl)
    // Not an endpoint of this service: a page, or the address of another service.
    if (next === undefined) return url
    if (visited.has(next)) return undefined
    visited.add(next)
    const endpoint = lifecycle.endpoints[next]
    if (!endpoint || !hasEnded(endpoint, nowMs)) return isVersionServed(lifecycle, url, nowMs) ? url : undefined
    successor = endpoint.successor
  }
  return undefined
}

/** Returns the operation that a URL of this service calls; undefined for every other URL. */
function findOwnOperation(url: string, publicUrl: string): Operation | undefined {
  if (!url.startsWith(`${publicUrl}/`)) return undefined
  const path = url.slice(publicUrl.length).split(/[?#]/, 1)[0]!
  return patterns.find(({ pattern }) => pattern.test(path))?.operation
}

const patterns = routes.map(({ operation, path }) => ({
  operation,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}/?$`),
}))

/** Returns true if a request to the URL does not fail because of its version. */
function isVersionServed(lifecycle: Lifecycle, url: string, nowMs: number): boolean {
  const { searchParams } = new URL(url)
  const query = { version: searchParams.getAll('version'), 'api-version': searchParams.getAll('api-version') }
  return 'version' in selectVersion(lifecycle, query, nowMs)
}
