import type { Edition, SnapshotKind } from '../domain/feed.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import { type EditionHistory, endSnapshot, type PastSnapshot, readHistory } from './history.ts'

/** Retention periods of snapshots, and intervals between them; in milliseconds. */
export interface RetentionAges {
  readonly keepFullMs: number
  readonly keepDeltaMs: number
  readonly fullEveryMs: number
  readonly deltaEveryMs: number
}

/**
 * Ends expired snapshots. The newest full snapshot and the deltas after it remain, because new clients start from them.
 */
export function expireSnapshots(root: string, edition: Edition, ages: RetentionAges, nowMs: number): void {
  const { snapshots } = readHistory(root, edition)
  const newestFull = findNewestFull(snapshots)?.manifest.sequence ?? 0
  for (const past of snapshots) {
    const { kind, sequence, created_at } = past.manifest
    const keepMs = kind === 'full' ? ages.keepFullMs : ages.keepDeltaMs
    if (past.gone || sequence >= newestFull || nowMs - Date.parse(created_at) < keepMs) continue
    endSnapshot(past, { reason: 'expired', at: formatTimestamp(nowMs) }, { isNewest: past === snapshots.at(-1) })
  }
}

/**
 * Returns the kind of snapshot to build: `full` if there is no usable full snapshot or it is too old, `delta` if the
 * newest snapshot of any kind is too old.
 */
export function findDueKind(
  root: string,
  edition: Edition,
  ages: RetentionAges,
  nowMs: number,
): SnapshotKind | undefined {
  const history = readHistory(root, edition)
  const full = findUsableFull(history)
  if (!full) return 'full'
  const ageMs = (past: PastSnapshot) => nowMs - Date.parse(past.manifest.created_at)
  if (ageMs(full) >= ages.fullEveryMs) return 'full'
  return ageMs(history.newest!) >= ages.deltaEveryMs ? 'delta' : undefined
}

/**
 * Returns true if clients have no full snapshot to start from; then even a requested delta is replaced by a full one.
 */
export const lacksFull = (root: string, edition: Edition): boolean =>
  findUsableFull(readHistory(root, edition)) === undefined

/**
 * Returns the newest full snapshot; undefined if the deltas after it do not lead to the newest state, because one of
 * them was withdrawn, damaged or lost.
 */
function findUsableFull({ snapshots, newest, lastSequence }: EditionHistory): PastSnapshot | undefined {
  const full = findNewestFull(snapshots)
  if (!full || !newest) return undefined
  const later = snapshots.filter(past => !past.gone && past.manifest.sequence > full.manifest.sequence)
  return later.length === lastSequence - full.manifest.sequence ? full : undefined
}

const findNewestFull = (snapshots: readonly PastSnapshot[]): PastSnapshot | undefined =>
  snapshots.findLast(past => past.manifest.kind === 'full' && !past.gone)
