import { type Fault, fault } from '../../../domain/fault.ts'
import type { Edition, FeedName } from '../../../domain/feed.ts'
import { feedNames } from '../../../domain/feed.ts'
import type { Key } from '../../../domain/key.ts'
import { buildDeprecationHeaders } from '../../../versions/deprecation-headers.ts'
import { getDefaultVersion, type Lifecycle } from '../../../versions/lifecycle.ts'

/** Returns the edition of a feed for a key. The key's pin selects the version, not the request (SPEC §9.1.8). */
export function resolveEdition(key: Key, name: string, endedVersions: readonly string[]): Edition | Fault {
  if (!isFeedName(name)) return fault('feed_unknown', { detail: `The feeds are ${feedNames.join(', ')}.` })
  const version = key.feedPins[name]
  if (endedVersions.includes(version)) {
    return fault('feed_version_ended', {
      detail: `Feeds in version ${version} have ended. Ask the operator to pin ${name} to a later version.`,
    })
  }
  return { feed: name, version }
}

const isFeedName = (name: string): name is FeedName => (feedNames as readonly string[]).includes(name)

/**
 * Returns the deprecation headers of pinned versions. A sunset ends calls in a version, not its feeds: a
 * feed that is still delivered after it carries no Sunset, because clients would take it for a resource that is gone.
 */
export function buildPinDeprecationHeaders(
  lifecycle: Lifecycle,
  pinned: readonly string[],
  publicUrl: string,
  nowMs: number,
): Readonly<Record<string, string>> | undefined {
  const successor = getDefaultVersion(lifecycle, nowMs)
  const toPageUrl = (name: string) => `${publicUrl}/docs/versions#${name}`
  const notices = lifecycle.versions
    .filter(({ name, deprecatedMs }) => pinned.includes(name) && deprecatedMs !== undefined)
    .map(({ name, deprecatedMs, sunsetMs }) => ({
      about: toPageUrl(name),
      ...(deprecatedMs !== undefined && { deprecatedMs }),
      ...(sunsetMs !== undefined && nowMs < sunsetMs && { sunsetMs }),
      ...(successor.name !== name && { successor: toPageUrl(successor.name) }),
    }))
  return buildDeprecationHeaders(notices, nowMs)
}
