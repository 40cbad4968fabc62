import { computeWaitUs, spend, toIntervalUs } from './gcra.ts'
import { ceilSeconds } from './limit-headers.ts'

export interface TokenBucketSettings {
  /** Tokens per second. */
  readonly rate: number
  readonly burst: number
  /** Maximum number of holders with a bucket; all additional holders share one bucket. */
  readonly maxHolders: number
}

/** A token bucket for each of many holders. */
export interface Buckets {
  /** Number of holders with a bucket. */
  readonly size: number
  /** Spends a token. Returns Retry-After in whole seconds if no token is left. */
  spend(holder: string, nowUs: number): number | undefined
}

const sweptPerNew = 4
/** Key of the bucket that holders share when the table is full. */
const sharedBucket = '*'

/**
 * A token bucket for each of many holders. Memory is bounded: when the table is full of holders that are not idle, new
 * holders share one bucket.
 */
export class TokenBuckets implements Buckets {
  readonly #tats = new Map<string, number>()
  readonly #maxHolders: number
  readonly #burst: number
  readonly #intervalUs: number
  #sweepCursor = this.#tats.entries()

  constructor(settings: TokenBucketSettings) {
    this.#maxHolders = settings.maxHolders
    this.#burst = settings.burst
    this.#intervalUs = toIntervalUs(settings.rate)
  }

  spend(holder: string, nowUs: number): number | undefined {
    const known = this.#tats.get(holder)
    if (known === undefined) this.#sweep(nowUs)
    const key = known !== undefined || this.#tats.size < this.#maxHolders ? holder : sharedBucket
    const tatUs = this.#tats.get(key) ?? 0
    const waitUs = computeWaitUs(tatUs, nowUs, this.#intervalUs, this.#burst)
    if (waitUs > 0) return ceilSeconds(waitUs)
    this.#tats.set(key, spend(tatUs, nowUs, this.#intervalUs))
    return undefined
  }

  get size(): number {
    return this.#tats.size
  }

  /** Removes idle holders, a few for each new one, so that no timer is needed. */
  #sweep(nowUs: number): void {
    for (let i = 0; i < sweptPerNew; i++) {
      const at = this.#sweepCursor.next()
      if (at.done) {
        this.#sweepCursor = this.#tats.entries()
        return
      }
      if (at.value[1] <= nowUs) this.#tats.delete(at.value[0])
    }
  }
}
