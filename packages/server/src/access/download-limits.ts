import type { FeedTakings } from '../domain/stores.ts'

/** How much of the feeds a key may take. */
export interface FeedLimitSettings {
  readonly parallelDownloads: number
  /** Distinct snapshots in a rolling 24 hours. */
  readonly snapshotsPerDay: number
}

const dayMs = 86_400_000

/** How long a client is asked to wait for one of its own downloads to end, seconds. */
const slotRetryS = 5

/** A download that a limit refuses (429). */
export interface DownloadRefusal {
  readonly refused: 'feed-downloads' | 'feed-snapshots'
  readonly retryAfterS: number
  readonly detail: string
}

/** One download on its way; `release` may be called more than once. */
export interface DownloadSlot {
  readonly release: () => void
}

/**
 * Counts the downloads of each key: how many are open, and which snapshots it began in the last 24 hours. A snapshot
 * counts once from its first file on, whatever ranges, retries and further parts follow within those hours.
 */
export class FeedLimits {
  readonly #settings: FeedLimitSettings
  readonly #takings: FeedTakings
  readonly #open = new Map<string, number>()

  constructor(settings: FeedLimitSettings, takings: FeedTakings) {
    this.#settings = settings
    this.#takings = takings
  }

  /** Lets one download begin, or says why not. `snapshot` names feed and snapshot. */
  begin(keyId: string, snapshot: string, nowMs: number): DownloadSlot | DownloadRefusal {
    const { parallelDownloads, snapshotsPerDay } = this.#settings
    const open = this.#open.get(keyId) ?? 0
    if (open >= parallelDownloads) {
      const detail = `This key has ${open} downloads open, and may have ${parallelDownloads}. Let one end first.`
      return { refused: 'feed-downloads', retryAfterS: slotRetryS, detail }
    }
    const taken = this.#takings.since(keyId, nowMs - dayMs + 1)
    if (!taken.some(one => one.snapshot === snapshot)) {
      if (taken.length >= snapshotsPerDay) {
        const retryAfterS = Math.ceil((taken[0]!.atMs + dayMs - nowMs) / 1000)
        const detail = `This key has begun ${taken.length} snapshots within 24 hours, and may begin ${snapshotsPerDay}. Wait ${retryAfterS} s.`
        return { refused: 'feed-snapshots', retryAfterS, detail }
      }
      this.#takings.add(keyId, snapshot, nowMs)
    }
    this.#open.set(keyId, open + 1)
    return this.#slot(keyId)
  }

  /** R-11 for downloads. */
  headers(keyId: string, nowMs: number): Record<string, string> {
    const { parallelDownloads, snapshotsPerDay } = this.#settings
    const taken = this.#takings.since(keyId, nowMs - dayMs + 1)
    const reset = taken.length === 0 ? '' : `;t=${Math.ceil((taken[0]!.atMs + dayMs - nowMs) / 1000)}`
    const open = this.#open.get(keyId) ?? 0
    return {
      'RateLimit-Policy': `"feed-downloads";q=${parallelDownloads}, "feed-snapshots";q=${snapshotsPerDay};w=86400`,
      RateLimit: `"feed-downloads";r=${Math.max(0, parallelDownloads - open)}, "feed-snapshots";r=${Math.max(0, snapshotsPerDay - taken.length)}${reset}`,
      'X-Billed-Units': '0',
    }
  }

  #slot(keyId: string): DownloadSlot {
    let held = true
    return {
      release: () => {
        if (!held) return
        held = false
        const open = this.#open.get(keyId)! - 1
        if (open === 0) this.#open.delete(keyId)
        else this.#open.set(keyId, open)
      },
    }
  }
}
