import type { Edition } from '../domain/feed.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import { endSnapshot, readHistory } from './history.ts'

/**
 * Withdraws a snapshot: requests for it return 410, and its parts are deleted. Call it while holding the build lock.
 * `gone`: it has ended before.
 */
export function withdrawStoredSnapshot(
  root: string,
  edition: Edition,
  snapshotId: string,
  nowMs: number,
): 'withdrawn' | 'unknown' | 'gone' {
  const { snapshots } = readHistory(root, edition)
  const found = snapshots.find(({ manifest }) => manifest.snapshot_id === snapshotId)
  if (!found) return 'unknown'
  if (found.gone) return 'gone'
  endSnapshot(found, { reason: 'withdrawn', at: formatTimestamp(nowMs) }, { isNewest: found === snapshots.at(-1) })
  return 'withdrawn'
}
