import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type FeedName, feedNames } from '../../domain/feed.ts'
import { type Key, type NoFeedsReason, noFeedsReason } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { FeedVersion, VersionStatus } from '../../domain/lifecycle.ts'
import type { PackageTable } from '../../domain/package.ts'
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

/** Sets the version in which a key gets a feed. Only `pinFeed` and `undoPin` change a pin (SPEC §9.1.8, R-45). */
export const pinFeed = (stores: FeedPinning, actor: Actor, input: PinInput): Promise<PinResult | AdminFault> =>
  movePin(stores, actor, input, 'pin.move')

/** Moves a pin and records the change as `action`. */
export async function movePin(
  stores: FeedPinning,
  actor: Actor,
  input: PinInput,
  action: 'pin.move' | 'pin.undo',
): Promise<PinResult | AdminFault> {
  const plan = await planPin(stores, actor, input)
  if (isAdminFault(plan)) return plan
  const { keys, clock } = stores
  const { key: before, feed, from, to } = plan
  const { id, expectedRevision } = input
  if (from === to && before.revision === expectedRevision) return plan
  const change = { keyId: id, feed, from, to, by: actor.id, atMs: clock.nowMs() }
  const record = recordOf(clock, actor, {
    action,
    target: id,
    partnerId: before.partnerId,
    before: { [feed]: from },
    after: { [feed]: to },
  })
  const key = await keys.pinFeed(expectedRevision, change, record)
  return key ? { ...plan, key, changed: true } : createKeyConflict(keys, actor, { id, expectedRevision })
}

/** Returns the facts about the move of a pin that has not been made, or the fault with which it is refused. */
export async function planPin(
  { keys, packageTable, feedVersions }: FeedPinning,
  actor: Actor,
  { id, feed: feedText, version }: Omit<PinInput, 'expectedRevision'>,
): Promise<PinResult | AdminFault> {
  const feed = feedNames.find(name => name === feedText)
  if (!feed) return adminFault('feed_unknown', ['feed'], { feed: feedText, feeds: feedNames })
  const target = pinnableVersion(feedVersions, version)
  if (isAdminFault(target)) return target
  const key = await findKey(keys, actor, id)
  if (isAdminFault(key)) return key
  if (key.state === 'revoked') return adminFault('key_revoked', ['id'], { key: id })
  const facts = { key, feed, from: key.feedPins[feed], to: version, changed: false }
  return { ...facts, status: target.status, noFeeds: noFeedsReason(key, packageTable) }
}

/** Returns a version that feeds can be pinned to, or a fault with the reason why they cannot. */
function pinnableVersion(versions: readonly FeedVersion[], name: string): FeedVersion | AdminFault {
  const pinnable = versions.filter(one => one.isImplemented && !one.feedsEnded)
  const facts = { version: name, pinnable: pinnable.map(one => one.name) }
  if (name === 'beta') return adminFault('beta_not_pinnable', ['version'], facts)
  if (versions.some(one => one.name === name && one.feedsEnded)) return adminFault('feeds_ended', ['version'], facts)
  return pinnable.find(one => one.name === name) ?? adminFault('version_not_pinnable', ['version'], facts)
}
