import type { Key } from './key.ts'
import type { LimitedBucket } from './limit-bucket.ts'

/** The state of a key's limits at a moment; of all keys of its partner if they share limits. */
export type LimitStatus = Readonly<Record<LimitedBucket, BucketLimitStatus>>

/** The state of one bucket. Times are in milliseconds since 1970. */
export interface BucketLimitStatus {
  /** Number of calls that would be admitted now. */
  readonly callsLeft: number
  /** Time at which the entire burst is available again; missing if it is available now. */
  readonly burstFullMs?: number
  readonly unitsLeft: number | 'unlimited'
  /** The open 24-hour window; missing if the next charged call opens one. */
  readonly window?: { readonly openedMs: number; readonly endsMs: number }
  /** The wait for retrying too early; missing without strikes. */
  readonly penalty?: { readonly strikes: number; readonly untilMs?: number }
}

/** The limits of the process that serves. */
export interface LiveLimits {
  statusOf(key: Key): LimitStatus | Promise<LimitStatus>
  /**
   * Ends the penalty of the key's subject in all buckets; the rate and the window remain. Rejects if nodes share
   * limits and this one cannot reach them.
   */
  forgive(key: Key): void | Promise<void>
}
