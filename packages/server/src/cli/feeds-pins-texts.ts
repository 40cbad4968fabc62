import type { NoFeedsReason } from '../domain/key.ts'
import type { VersionStatus } from '../domain/lifecycle.ts'
import type { PinResult } from '../usecases/admin/pin-feed.ts'

/** Describes a pin that was set. */
export const pinnedText = ({ key, feed, from, to, changed }: PinResult): string =>
  changed
    ? `Key ${key.id} now gets ${feed} in version ${to}; it was version ${from}. The first download is a full snapshot, which the next build makes if it does not exist.`
    : `Key ${key.id} already gets ${feed} in version ${to}.`

const statusWarnings: Readonly<Partial<Record<VersionStatus, string>>> = {
  preview: 'is a preview. It may change until it is promoted.',
  deprecated: 'is deprecated. Its feeds end when it is added to feeds.endedVersions.',
  retired: 'is retired. Its feeds end when it is added to feeds.endedVersions.',
}

const noFeedsWarnings: Readonly<Record<NoFeedsReason, (id: string) => string>> = {
  test_key: id => `Key ${id} is a test key. Test keys cannot use feeds.`,
  scoped: id => `Key ${id} has a scope, so it cannot use feeds: a feed contains the complete data set.`,
  not_in_package: id =>
    `Key ${id} has no permission to use feeds. Run 'periplus keys set ${id} --add-on feeds' to allow it.`,
}

/** Returns what the operator should know about a pin: the state of its version, and a key without feeds. */
export function pinWarnings({ key, to, status, noFeeds }: PinResult): string[] {
  const text = statusWarnings[status]
  return [
    ...(text === undefined ? [] : [`Version ${to} ${text}`]),
    ...(noFeeds === undefined ? [] : [noFeedsWarnings[noFeeds](key.id)]),
  ]
}
