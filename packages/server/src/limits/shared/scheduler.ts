/** Time and chance of the shared limits, which the simulation replaces. */
export interface Scheduler {
  /** Returns monotonic time in whole microseconds from an arbitrary origin. */
  monotonicUs(): number
  /** Calls `run` after a time; the returned function cancels that. */
  after(ms: number, run: () => void): () => void
  /** Calls `run` at the end of this turn of the event loop. */
  endOfTurn(run: () => void): void
  /** Returns a number in [0, 1). */
  random(): number
}

/** The scheduler of a running process; its timers do not keep the process alive. */
export const systemScheduler: Scheduler = {
  monotonicUs: () => Math.floor(performance.now() * 1000),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
  endOfTurn: run => {
    setImmediate(run)
  },
  random: Math.random,
}

/** Resolves after a time. */
export const pause = (scheduler: Scheduler, ms: number): Promise<void> =>
  new Promise(resolve => {
    scheduler.after(ms, resolve)
  })
