import { type Fault, fault } from '../../domain/fault.ts'
import type { Edition, FeedSnapshot } from '../../domain/feed.ts'
import type { FeedLibrary } from '../../domain/feed-stores.ts'

/**
 * Lists the deltas after the snapshot with the sequence number `after`, in order and without a gap: applied in
 * order, they result in the newest state. `after` 0 lists all deltas that are kept.
 */
export async function listFeedDeltas(
  library: FeedLibrary,
  edition: Edition,
  after: number,
): Promise<readonly FeedSnapshot[] | Fault> {
  const all = await library.list(edition)
  const deltas = all.filter(({ manifest }) => manifest.kind === 'delta' && manifest.sequence > after)
  if (after === 0) return deltas
  const newest = all.at(-1)?.manifest.sequence ?? 0
  if (after > newest) {
    const message = `after must be the sequence of a snapshot of this edition; the newest is ${newest}.`
    return fault('parameters_invalid', {
      detail: message,
      fieldErrors: [{ field: 'after', message, rejectedValue: String(after) }],
    })
  }
  return areContiguous(all, deltas, after) && leadToNewest(all, deltas, after)
    ? deltas
    : fault('deltas_gone', {
        detail: `Some deltas after sequence ${after} are no longer kept. Get the latest full snapshot.`,
      })
}

/**
 * Returns true if the first delta applies to the caller's snapshot, and every other delta to its predecessor.
 */
function areContiguous(all: readonly FeedSnapshot[], deltas: readonly FeedSnapshot[], after: number): boolean {
  const [first] = deltas
  if (!first) return true
  const held = all.filter(({ manifest }) => manifest.sequence <= after).map(({ manifest }) => manifest.snapshot_id)
  // The snapshot directly before it may have expired; a caller that specifies its number has it.
  const isApplicable =
    after === first.manifest.sequence - 1 || first.manifest.applies_to!.some(snapshotId => held.includes(snapshotId))
  return (
    isApplicable &&
    deltas.slice(1).every(({ manifest }, i) => manifest.applies_to!.includes(deltas[i]!.manifest.snapshot_id))
  )
}

/** Returns true if the result of the caller's snapshot and the deltas is that of the newest snapshot. */
function leadToNewest(all: readonly FeedSnapshot[], deltas: readonly FeedSnapshot[], after: number): boolean {
  const newest = all.at(-1)!.manifest
  const last = (deltas.at(-1) ?? all.find(({ manifest }) => manifest.sequence === after))?.manifest
  return last?.checksum_of_result === newest.checksum_of_result
}
