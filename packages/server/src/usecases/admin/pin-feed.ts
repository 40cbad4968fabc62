import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type FeedName, feedNames } from '../../domain/feed.ts'
import { type Key, type NoFeedsReason, noFeedsReason } from '../../domain/key.ts'
import type { FeedVersion, VersionStatus } from '../../domain/lifecycle.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { KeyAdmin } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { createKeyConflict, findKey } from './find-key.ts'
import { recordOf } from './record.ts'

/** Dependencies of `pinFeed`. */
export interface FeedPinning {
  readonly keys: KeyAdmin
  readonly clock: Clock
  readonly packageTable: PackageTable
  readonly feedVersions: readonly FeedVersion[]
}

/** A change of one pin, based on the revision of the key that the caller read. */
export interface PinInput {
  readonly id: string
  readonly expectedRevision: number
  readonly feed: string
  readonly version: string
}

/** The changed pin, and facts that the interface should warn about. */
export interface PinResult {
  readonly key: Key
  readonly feed: FeedName
  readonly from: string
  readonly to: string
  /** False if the key was already pinned to the version. */
  readonly changed: boolean
  readonly status: VersionStatus
  /** The reason why the key cannot use its pins. */
  readonly noFeeds: NoFeedsReason | undefined
}

/** Sets the version in which a key gets a feed. Only this use case changes a pin (SPEC §9.1.8, R-45). */
export async function pinFeed(
  { keys, clock, packageTable, feedVersions }: FeedPinning,
  actor: Actor,
  { id, expectedRevision, feed: feedText, version }: PinInput,
): Promise<PinResult | AdminFault> {
  const feed = feedNames.find(name => name === feedText)
  if (!feed) return adminFault('feed_unknown', ['feed'], { feed: feedText, feeds: feedNames })
  const target = pinnableVersion(feedVersions, version)
  if (isAdminFault(target)) return target
  const before = await findKey(keys, actor, id)
  if (isAdminFault(before)) return before
  if (before.state === 'revoked') return adminFault('key_revoked', ['id'], { key: id })
  const from = before.feedPins[feed]
  const facts = { feed, from, to: version, status: target.status, noFeeds: noFeedsReason(before, packageTable) }
  if (from === version && before.revision === expectedRevision) return { ...facts, key: before, changed: false }
  const change = { keyId: id, feed, from, to: version, by: actor.id, atMs: clock.nowMs() }
  const record = recordOf(clock, actor, {
    ...{ action: 'pin.move', target: id, partnerId: before.partnerId },
    ...{ before: { [feed]: from }, after: { [feed]: version } },
  })
  const key = await keys.pinFeed(expectedRevision, change, record)
  return key ? { ...facts, key, changed: true } : createKeyConflict(keys, actor, { id, expectedRevision })
}

/** Returns a version that feeds can be pinned to, or a fault with the reason why they cannot. */
function pinnableVersion(versions: readonly FeedVersion[], name: string): FeedVersion | AdminFault {
  const pinnable = versions.filter(one => one.isImplemented && !one.feedsEnded)
  const facts = { version: name, pinnable: pinnable.map(one => one.name) }
  if (name === 'beta') return adminFault('beta_not_pinnable', ['version'], facts)
  if (versions.some(one => one.name === name && one.feedsEnded)) return adminFault('feeds_ended', ['version'], facts)
  return pinnable.find(one => one.name === name) ?? adminFault('version_not_pinnable', ['version'], facts)
}
