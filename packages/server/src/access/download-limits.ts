import type { FeedDownload } from '../domain/stores.ts'

/** The limits on feed downloads, which are the same for every key. */
export interface DownloadLimits {
  /** Downloads that a key may have open at once. */
  readonly parallelDownloads: number
  /** Distinct snapshots that a key may begin in a rolling 24 hours. */
  readonly snapshotsPerDay: number
}

/** The downloads of one key. */
export interface DownloadState {
  readonly open: number
  /** Snapshots begun within the last 24 hours, oldest first. */
  readonly begun: readonly FeedDownload[]
}

/** A download that a limit refuses (429). */
export interface DownloadRefusal {
  readonly refused: readonly ['feed-downloads' | 'feed-snapshots']
  readonly retryAfterS: number
  readonly detail: string
}

const dayMs = 86_400_000

/** Wait suggested to a key whose own downloads occupy all places, seconds. */
const parallelRetryS = 5

/** The earliest moment that still counts toward `snapshotsPerDay`. */
export const countedSinceMs = (nowMs: number): number => nowMs - dayMs + 1

/** Refuses a download while the key has as many open as it may. */
export function refuseParallel({ parallelDownloads }: DownloadLimits, open: number): DownloadRefusal | undefined {
  if (open < parallelDownloads) return undefined
  const detail = `This key has ${open} downloads open, and may have ${parallelDownloads}. Wait until one ends.`
  return { refused: ['feed-downloads'], retryAfterS: parallelRetryS, detail }
}

/**
 * Refuses another snapshot when the key has begun as many as it may within 24 hours. A snapshot counts once, from its
 * first file on, whatever ranges, retries and further files follow within those hours.
 */
export function refuseSnapshot(
  { snapshotsPerDay }: DownloadLimits,
  begun: readonly FeedDownload[],
  snapshot: string,
  nowMs: number,
): DownloadRefusal | undefined {
  if (begun.length < snapshotsPerDay || isStarted(begun, snapshot)) return undefined
  const retryAfterS = oldestLeavesInS(begun, nowMs)
  const detail = `This key has begun ${begun.length} snapshots within 24 hours, and may begin ${snapshotsPerDay}. Wait ${retryAfterS} s.`
  return { refused: ['feed-snapshots'], retryAfterS, detail }
}

export const isStarted = (begun: readonly FeedDownload[], snapshot: string): boolean =>
  begun.some(download => download.snapshot === snapshot)

/** Rate limit headers of an answer on the download route. */
export function downloadHeaders(
  { parallelDownloads, snapshotsPerDay }: DownloadLimits,
  { open, begun }: DownloadState,
  nowMs: number,
): Record<string, string> {
  const reset = begun.length === 0 ? '' : `;t=${oldestLeavesInS(begun, nowMs)}`
  return {
    'RateLimit-Policy': `"feed-downloads";q=${parallelDownloads}, "feed-snapshots";q=${snapshotsPerDay};w=86400`,
    RateLimit: `"feed-downloads";r=${Math.max(0, parallelDownloads - open)}, "feed-snapshots";r=${Math.max(0, snapshotsPerDay - begun.length)}${reset}`,
    'X-Billed-Units': '0',
  }
}

/** Seconds until the oldest snapshot no longer counts. */
const oldestLeavesInS = (begun: readonly FeedDownload[], nowMs: number): number =>
  Math.ceil((begun[0]!.atMs + dayMs - nowMs) / 1000)
