import { type Fault, fault } from '../../../domain/fault.ts'
import type { Edition, FeedName } from '../../../domain/feed.ts'
import { feedNames } from '../../../domain/feed.ts'
import type { Key } from '../../../domain/key.ts'
import { deprecationHeaders } from '../../../versions/deprecation-headers.ts'
import { defaultVersion, type Lifecycle } from '../../../versions/lifecycle.ts'

/** The edition of a feed that a key takes: its pin decides, and nothing that the request says (SPEC §9.1.8). */
export function editionOf(key: Key, name: string, endedVersions: readonly string[]): Edition | Fault {
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

/** What tells that pinned versions are deprecated; their sunset ends calls and not feeds. */
export function pinSignals(
  lifecycle: Lifecycle,
  pinned: readonly string[],
  publicUrl: string,
  nowMs: number,
): Readonly<Record<string, string>> | undefined {
  const successor = defaultVersion(lifecycle, nowMs)
  const about = (name: string) => `${publicUrl}/docs/versions#${name}`
  const endings = lifecycle.versions
    .filter(({ name, deprecatedMs }) => pinned.includes(name) && deprecatedMs !== undefined)
    .map(({ name, deprecatedMs, sunsetMs }) => ({
      about: about(name),
      ...(deprecatedMs !== undefined && { deprecatedMs }),
      ...(sunsetMs !== undefined && { sunsetMs }),
      ...(successor.name !== name && { successor: about(successor.name) }),
    }))
  return deprecationHeaders(endings, nowMs)
}
