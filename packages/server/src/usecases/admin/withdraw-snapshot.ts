import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { type FeedName, feedNames } from '../../domain/feed.ts'
import type { SnapshotWithdrawal } from '../../domain/feed-withdrawal.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkReason } from './check-texts.ts'
import { recordOf } from './record.ts'

/** The snapshot to withdraw. */
export interface WithdrawInput {
  readonly feed: string
  readonly version: string
  readonly snapshotId: string
  readonly reason: string
}

/** A snapshot that was withdrawn. */
export interface WithdrawnSnapshot {
  readonly feed: FeedName
  readonly version: string
  readonly snapshotId: string
}

/** Withdraws a snapshot: downloads of it return 410. The next build makes a full snapshot if no other exists. */
export async function withdrawSnapshot(
  { withdrawal, clock }: { readonly withdrawal: SnapshotWithdrawal; readonly clock: Clock },
  actor: Actor,
  { feed: name, version, snapshotId, reason }: WithdrawInput,
): Promise<WithdrawnSnapshot | AdminFault> {
  const fault = checkReason(reason)
  if (fault) return fault
  const feed = feedNames.find(one => one === name)
  if (!feed) return adminFault('feed_unknown', ['feed'], { feed: name, feeds: feedNames })
  const after = { version, snapshot: snapshotId, reason: reason.trim() }
  const record = recordOf(clock, actor, { action: 'feed.withdraw', target: feed, after })
  const outcome = await withdrawal.withdraw({ feed, version }, snapshotId, record)
  if (outcome === 'busy') return adminFault('feed_build_running', [], {})
  if (outcome === 'withdrawn') return { feed, version, snapshotId }
  return adminFault(outcome === 'gone' ? 'snapshot_gone' : 'snapshot_unknown', ['snapshot'], {
    feed,
    version,
    snapshot: snapshotId,
  })
}
