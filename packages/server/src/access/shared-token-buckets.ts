import { allocateTable, SharedTable, type SharedTableMemory } from '../kit/shared-table.ts'
import { computeWaitUs, spend, toIntervalUs } from './gcra.ts'
import { ceilSeconds } from './limit-headers.ts'
import type { Buckets, TokenBucketSettings } from './token-buckets.ts'

/** Returns memory for the buckets of some ten thousand holders. */
export const allocateBuckets = (): SharedTableMemory => allocateTable({ stripes: 128, slotsPerStripe: 512, columns: 1 })

/**
 * A token bucket for each of many holders, in memory that threads share. When no place is left for a new holder, it
 * shares a bucket with others.
 */
export class SharedTokenBuckets implements Buckets {
  readonly #table: SharedTable
  readonly #burst: number
  readonly #intervalUs: number
  #nowUs = 0

  /** `thread`: number of the calling thread, from 1. */
  constructor(
    { rate, burst }: Pick<TokenBucketSettings, 'rate' | 'burst'>,
    shared: { readonly memory: SharedTableMemory; readonly thread: number },
  ) {
    this.#burst = burst
    this.#intervalUs = toIntervalUs(rate)
    this.#table = new SharedTable(
      shared.memory,
      shared.thread,
      (slot, table) => table.values[table.valueAt(slot)]! <= this.#nowUs,
    )
  }

  get size(): number {
    return [...this.#table.usedSlots()].length
  }

  spend(holder: string, nowUs: number): number | undefined {
    return this.#table.exclusively(holder, () => {
      this.#nowUs = nowUs
      const at = this.#table.valueAt(this.#table.findOrAdd(holder))
      const tatUs = this.#table.values[at]!
      const waitUs = computeWaitUs(tatUs, nowUs, this.#intervalUs, this.#burst)
      if (waitUs > 0) return ceilSeconds(waitUs)
      this.#table.values[at] = spend(tatUs, nowUs, this.#intervalUs)
      return undefined
    })
  }

  /** Releases what a thread held when it ended. */
  releaseFor(endedThread: number): void {
    this.#table.releaseLocks(endedThread)
  }
}
