import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { feedNames } from '../../domain/feed.ts'
import { hourMs } from '../../kit/time.ts'
import { findKey } from './find-key.ts'
import { type FeedPinning, movePin, type PinInput, type PinResult } from './pin-feed.ts'

/** Time after the move of a pin during which it can be undone, in milliseconds. */
export const undoWithinMs = 72 * hourMs

/** Moves a pin back to the version that it had before its last move, which was at most 72 hours ago. */
export async function undoPin(
  stores: FeedPinning,
  actor: Actor,
  { id, expectedRevision, feed: feedText }: Omit<PinInput, 'version'>,
): Promise<PinResult | AdminFault> {
  const feed = feedNames.find(name => name === feedText)
  if (!feed) return adminFault('feed_unknown', ['feed'], { feed: feedText, feeds: feedNames })
  const key = await findKey(stores.keys, actor, id)
  if (isAdminFault(key)) return key
  const last = (await stores.keys.feedPinChanges(id)).findLast(change => change.feed === feed)
  if (!last) return adminFault('pin_undo_unavailable', ['feed'], { key: id, feed, reason: 'never_moved' })
  if (stores.clock.nowMs() - last.atMs > undoWithinMs)
    return adminFault('pin_undo_unavailable', ['feed'], { key: id, feed, reason: 'too_late' })
  return movePin(stores, actor, { id, expectedRevision, feed, version: last.from }, 'pin.undo')
}
