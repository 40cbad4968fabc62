/** Delays after failed attempts. */
export interface BackoffPolicy {
  /** Delay after the first failure, in milliseconds. Each consecutive failure doubles it. */
  readonly firstMs: number
  readonly maxMs: number
}

/** Returns the delay after `failures` consecutive failures (1 or more), in milliseconds. */
export const computeBackoffMs = (failures: number, { firstMs, maxMs }: BackoffPolicy): number =>
  Math.min(maxMs, firstMs * 2 ** (failures - 1))

/** Exponential backoff for work that is attempted periodically. */
export class Backoff {
  readonly #policy: BackoffPolicy
  readonly #nowMs: () => number
  #failures = 0
  #dueAtMs = Number.NEGATIVE_INFINITY

  /** `nowMs` reads a monotonic clock. */
  constructor(policy: BackoffPolicy, nowMs: () => number) {
    this.#policy = policy
    this.#nowMs = nowMs
  }

  /** Number of failures since the last success. */
  get failures(): number {
    return this.#failures
  }

  /** True if the next attempt may start. */
  get isDue(): boolean {
    return this.#nowMs() >= this.#dueAtMs
  }

  /** Records a success, which resets the delay. */
  succeeded(): void {
    this.#failures = 0
  }

  /** Records a failure. Returns the delay before the next attempt, in milliseconds. */
  failed(): number {
    const delayMs = computeBackoffMs(++this.#failures, this.#policy)
    this.#dueAtMs = this.#nowMs() + delayMs
    return delayMs
  }
}
