import type { Edition, SnapshotKind } from '../domain/feed.ts'
import { timestamp } from '../versions/primitives/format.ts'
import { end, historyOf, type Past } from './history.ts'

/** How long snapshots are kept, and how old the newest may grow; milliseconds. */
export interface Ages {
  readonly keepFullMs: number
  readonly keepDeltaMs: number
  readonly fullEveryMs: number
  readonly deltaEveryMs: number
}

/** Ends what is past its time, but for the newest full and the deltas after it: who takes that full needs them. */
export function expire(root: string, edition: Edition, ages: Ages, nowMs: number): void {
  const history = historyOf(root, edition)
  const newestFull = newestFullOf(history)?.manifest.sequence ?? 0
  for (const past of history) {
    const { kind, sequence, created_at } = past.manifest
    const keptMs = kind === 'full' ? ages.keepFullMs : ages.keepDeltaMs
    if (past.gone || sequence >= newestFull || nowMs - Date.parse(created_at) < keptMs) continue
    end(past, { reason: 'expired', at: timestamp(nowMs) }, { isNewest: past === history.at(-1) })
  }
}

/** What is due: a full where one is lacking or the newest is too old; else a delta where the newest snapshot is too old. */
export function dueKind(root: string, edition: Edition, ages: Ages, nowMs: number): SnapshotKind | undefined {
  const history = historyOf(root, edition)
  const full = startOf(history)
  if (!full) return 'full'
  const ageMs = (past: Past) => nowMs - Date.parse(past.manifest.created_at)
  if (ageMs(full) >= ages.fullEveryMs) return 'full'
  return ageMs(history.at(-1)!) >= ages.deltaEveryMs ? 'delta' : undefined
}

/** Whether there is nothing that somebody could begin with: then even who asks for a delta gets a full. */
export const lacksFull = (root: string, edition: Edition): boolean => startOf(historyOf(root, edition)) === undefined

/** The newest full, unless a snapshot that held an erased record has taken away deltas that follow it. */
function startOf(history: readonly Past[]): Past | undefined {
  const full = newestFullOf(history)
  const broken = history.some(
    past => past.gone?.reason === 'erased' && past.manifest.sequence > (full?.manifest.sequence ?? 0),
  )
  return broken ? undefined : full
}

const newestFullOf = (history: readonly Past[]): Past | undefined =>
  history.findLast(past => past.manifest.kind === 'full' && !past.gone)
