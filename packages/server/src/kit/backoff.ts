/** Delays between attempts that fail. */
export interface BackoffPolicy {
  /** Delay after the first failure, milliseconds. Each further failure in a row doubles it. */
  readonly firstMs: number
  readonly maxMs: number
}

/** Returns the delay before the next attempt after `failures` failures in a row (1 or more), in milliseconds. */
export const backoffMs = (failures: number, { firstMs, maxMs }: BackoffPolicy): number =>
  Math.min(maxMs, firstMs * 2 ** (failures - 1))

/** Exponential back-off for work that is tried periodically. */
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

  /** Failures since the last success. */
  get failures(): number {
    return this.#failures
  }

  /** True when the next attempt may begin. */
  get isDue(): boolean {
    return this.#nowMs() >= this.#dueAtMs
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** Returns the delay before the next attempt, in milliseconds. */
  failed(): number {
    const delayMs = backoffMs(++this.#failures, this.#policy)
    this.#dueAtMs = this.#nowMs() + delayMs
    return delayMs
  }
}
