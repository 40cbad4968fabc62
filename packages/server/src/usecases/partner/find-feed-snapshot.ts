import { type Fault, fault } from '../../domain/fault.ts'
import { type Edition, type FeedSnapshot, type Gone, isGone, type SnapshotKind } from '../../domain/feed.ts'
import type { FeedLibrary } from '../../domain/feed-stores.ts'

/** Finds a snapshot of an edition by its id. */
export async function findFeedSnapshot(
  library: FeedLibrary,
  edition: Edition,
  snapshotId: string,
): Promise<FeedSnapshot | Fault> {
  const found = await library.find(edition, snapshotId)
  if (!found) {
    return fault('snapshot_unknown', {
      detail: `The feed ${edition.feed} in version ${edition.version}, which this key takes, has no such snapshot.`,
    })
  }
  if (!isGone(found)) return found
  return fault('snapshot_gone', { detail: `${goneTexts[found.reason](found.at)} Get the latest full snapshot.` })
}

const goneTexts: Readonly<Record<Gone['reason'], (at: string) => string>> = {
  erased: at => `The snapshot was deleted at ${at} because it contained a record that was erased.`,
  expired: at => `The snapshot was deleted at ${at} because its retention period ended.`,
  withdrawn: at => `The snapshot was withdrawn at ${at}.`,
  damaged: () => 'The snapshot is not available because its files are damaged.',
}

/** Returns the newest snapshot of a kind. */
export async function latestFeedSnapshot(
  library: FeedLibrary,
  edition: Edition,
  kind: SnapshotKind,
): Promise<FeedSnapshot | Fault> {
  const all = await library.list(edition)
  return (
    all.findLast(({ manifest }) => manifest.kind === kind) ??
    fault('snapshot_unknown', {
      detail: `The feed ${edition.feed} in version ${edition.version} has no ${kind} snapshot yet. /feeds/${edition.feed}/snapshots lists the existing ones.`,
    })
  )
}
