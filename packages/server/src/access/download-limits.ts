import type { KeyDownloads } from '../domain/download-leases.ts'
import type { FeedDownload } from '../domain/feed-stores.ts'
import { formatCount, formatNumber } from '../kit/format-number.ts'

import { dayMs } from '../kit/time.ts'

/** The limits on feed downloads, which are the same for every key. */
export interface DownloadLimits {
  /** Maximum number of open downloads per key. */
  readonly parallelDownloads: number
  /** Maximum number of distinct snapshots that a key may start to download in a rolling 24 hours. */
  readonly snapshotsPerDay: number
}

/** A download that a limit refuses (429). */
export interface DownloadRefusal {
  readonly refused: readonly ['feed-downloads' | 'feed-snapshots']
  readonly retryAfterS: number
  readonly detail: string
}

/** Retry-After of a refused parallel download, in seconds. */
const parallelRetryS = 5

/** Returns the earliest time that still counts toward `snapshotsPerDay`. */
export const countedSinceMs = (nowMs: number): number => nowMs - dayMs + 1

/** Refuses a download while the key has the maximum number of open downloads. */
export function refuseParallel({ parallelDownloads }: DownloadLimits, open: number): DownloadRefusal | undefined {
  if (open < parallelDownloads) return undefined
  const limit = `The limit is ${formatCount(parallelDownloads, 'open download', 'open downloads')} per key`
  const detail = `${limit}, and ${formatNumber(open)} ${open === 1 ? 'is' : 'are'} open. Wait ${parallelRetryS} s, or until one ends.`
  return { refused: ['feed-downloads'], retryAfterS: parallelRetryS, detail }
}

/**
 * Refuses a new snapshot if the key has started the maximum number of snapshots within 24 hours. A snapshot counts
 * once, when its first file is requested; ranges, retries and its other files within those hours do not count again
 * (R-45).
 */
export function refuseSnapshot(
  { snapshotsPerDay }: DownloadLimits,
  started: readonly FeedDownload[],
  snapshot: string,
  nowMs: number,
): DownloadRefusal | undefined {
  if (started.length < snapshotsPerDay || isStarted(started, snapshot)) return undefined
  const retryAfterS = oldestExpiresInS(started, nowMs)
  const limit = `The limit is ${formatCount(snapshotsPerDay, 'snapshot', 'snapshots')} in 24 hours`
  const detail = `${limit}, and this key has downloaded ${formatNumber(started.length)}. Wait ${retryAfterS} s.`
  return { refused: ['feed-snapshots'], retryAfterS, detail }
}

/** Returns true if the key has started a download of the snapshot. */
export const isStarted = (started: readonly FeedDownload[], snapshot: string): boolean =>
  started.some(download => download.snapshot === snapshot)

/** Formats the rate limit headers of a download response. */
export function formatDownloadHeaders(
  { parallelDownloads, snapshotsPerDay }: DownloadLimits,
  { open, started }: KeyDownloads,
  nowMs: number,
): Record<string, string> {
  const reset = started.length === 0 ? '' : `;t=${oldestExpiresInS(started, nowMs)}`
  return {
    'RateLimit-Policy': `"feed-downloads";q=${parallelDownloads}, "feed-snapshots";q=${snapshotsPerDay};w=86400`,
    RateLimit: `"feed-downloads";r=${Math.max(0, parallelDownloads - open)}, "feed-snapshots";r=${Math.max(0, snapshotsPerDay - started.length)}${reset}`,
    'X-Billed-Units': '0',
  }
}

/** Returns the seconds until the oldest snapshot no longer counts. */
const oldestExpiresInS = (started: readonly FeedDownload[], nowMs: number): number =>
  Math.ceil((started[0]!.atMs + dayMs - nowMs) / 1000)
