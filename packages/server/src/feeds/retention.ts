import type { Edition, SnapshotKind } from '../domain/feed.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import { endSnapshot, type PastSnapshot, readHistory } from './history.ts'

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
  const history = readHistory(root, edition)
  const newestFull = findNewestFull(history)?.manifest.sequence ?? 0
  for (const past of history) {
    const { kind, sequence, created_at } = past.manifest
    const keepMs = kind === 'full' ? ages.keepFullMs : ages.keepDeltaMs
    if (past.gone || sequence >= newestFull || nowMs - Date.parse(created_at) < keepMs) continue
    endSnapshot(past, { reason: 'expired', at: formatTimestamp(nowMs) }, { isNewest: past === history.at(-1) })
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
  return ageMs(history.at(-1)!) >= ages.deltaEveryMs ? 'delta' : undefined
}

/**
 * Returns true if clients have no full snapshot to start from; then even a requested delta is replaced by a full one.
 */
export const lacksFull = (root: string, edition: Edition): boolean =>
  findUsableFull(readHistory(root, edition)) === undefined

/** Returns the newest full snapshot; undefined if an erasure has withdrawn a delta after it. */
function findUsableFull(history: readonly PastSnapshot[]): PastSnapshot | undefined {
  const full = findNewestFull(history)
  const isBroken = history.some(
    past => past.gone?.reason === 'erased' && past.manifest.sequence > (full?.manifest.sequence ?? 0),
  )
  return isBroken ? undefined : full
}

const findNewestFull = (history: readonly PastSnapshot[]): PastSnapshot | undefined =>
  history.findLast(past => past.manifest.kind === 'full' && !past.gone)
