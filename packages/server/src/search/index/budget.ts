import { systemClock, threadCpuUs } from '../../kit/clock.ts'

/** Limits of the work of a query on the serving thread: whichever is reached first. */
export interface BudgetLimits {
  /** Number of steps. A step takes about 50 to 100 ns, and up to ten times as long until V8 has optimised the code. */
  readonly steps: number
  /**
   * Time in milliseconds since the budget was created, and CPU time of the thread: on a busy machine the time that
   * passes says little about the work, and running a query again elsewhere would only add to it.
   */
  readonly ms: number
}

/** Clocks of a thread, in microseconds. */
export interface ThreadTime {
  monotonicUs(): number
  /** CPU time of the thread; systems count it in ticks of some milliseconds. */
  cpuUs(): number
}

const threadTime: ThreadTime = { monotonicUs: systemClock.monotonicUs, cpuUs: threadCpuUs }

/** Steps between two readings of the clock; about 0.05 ms. */
const stepsPerReading = 500

/** Ends a query that exceeds its budget. One object without a stack of its own, because it is thrown often. */
const overBudget = new Error('The query exceeds its budget.')

/**
 * Limit of the work of a query. Every loop of a query whose length depends on the data or the query spends steps,
 * before or while it runs, so that no more than about 0.5 ms pass between two readings of the clock. A query that
 * exceeds the budget is abandoned by an exception from `spend`, which only `withinBudget` catches.
 */
export class Budget {
  #left: number
  /** Value of `#left` below which the clock is read next. */
  #readBelow: number
  readonly #ms: number
  readonly #deadlineUs: number
  /** Known from the first reading on: most queries end before it, and reading the CPU time is a call of the system. */
  #maxCpuUs: number | undefined
  readonly #time: ThreadTime

  constructor({ steps, ms }: BudgetLimits, time = threadTime) {
    this.#left = steps
    this.#readBelow =
      steps === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : Math.max(0, steps - stepsPerReading)
    this.#time = time
    this.#ms = ms
    this.#deadlineUs = ms === Number.POSITIVE_INFINITY ? ms : time.monotonicUs() + ms * 1000
  }

  /** Returns a budget that is never exceeded. */
  static unlimited(): Budget {
    return new Budget({ steps: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY })
  }

  /** Accounts for work that was done or is about to begin; throws if it exceeds the budget. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < this.#readBelow) this.#check()
  }

  /** Throws if fewer steps are left, for work that is known to need more than that. Spends nothing. */
  require(steps: number): void {
    if (steps > this.#left) throw overBudget
  }

  #check(): void {
    const { monotonicUs, cpuUs } = this.#time
    this.#maxCpuUs ??= cpuUs() + this.#ms * 1000
    if (this.#left < 0 || (monotonicUs() > this.#deadlineUs && cpuUs() >= this.#maxCpuUs)) throw overBudget
    this.#readBelow = Math.max(0, this.#left - stepsPerReading)
  }
}

/** Runs a query; returns undefined if it exceeds its budget. */
export function withinBudget<Result>(budget: Budget, query: (budget: Budget) => Result): Result | undefined {
  try {
    budget.spend(1)
    return query(budget)
  } catch (error) {
    if (error === overBudget) return undefined
    throw error
  }
}
