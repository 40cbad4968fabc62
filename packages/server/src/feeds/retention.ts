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
    const keptMs = kind === 'full' ? ages.keepFullMs : ages.keepDeltaMs
    if (past.gone || sequence >= newestFull || nowMs - Date.parse(created_at) < keptMs) continue
    endSnapshot(past, { reason: 'expired', at: formatTimestamp(nowMs) }, { isNewest: past === history.at(-1) })
  }
}

/**
 * Returns `full` if there is no full snapshot or the newest one is too old, `delta` if the newest snapshot of any kind
 * is.
 */
export function findDueKind(
  root: string,
  edition: Edition,
  ages: RetentionAges,
  nowMs: number,
): SnapshotKind | undefined {
  const history = readHistory(root, edition)
  const full = findStart(history)
  if (!full) return 'full'
  const ageMs = (past: PastSnapshot) => nowMs - Date.parse(past.manifest.created_at)
  if (ageMs(full) >= ages.fullEveryMs) return 'full'
  return ageMs(history.at(-1)!) >= ages.deltaEveryMs ? 'delta' : undefined
}

/**
 * Returns true if clients have no full snapshot to start from. A full one is built then, even if a delta was requested.
 */
export const lacksFull = (root: string, edition: Edition): boolean =>
  findStart(readHistory(root, edition)) === undefined

/** Returns the newest full snapshot, unless an erasure has withdrawn a delta that follows it. */
function findStart(history: readonly PastSnapshot[]): PastSnapshot | undefined {
  const full = findNewestFull(history)
  const broken = history.some(
    past => past.gone?.reason === 'erased' && past.manifest.sequence > (full?.manifest.sequence ?? 0),
  )
  return broken ? undefined : full
}

const findNewestFull = (history: readonly PastSnapshot[]): PastSnapshot | undefined =>
  history.findLast(past => past.manifest.kind === 'full' && !past.gone)
