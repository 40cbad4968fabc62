/** A source of time. Rules take the time as an argument instead of reading a clock, so that tests can set it. */
export interface Clock {
  /** Returns wall time, milliseconds since 1970. It may jump forwards and backwards. */
  nowMs(): number
  /** Returns monotonic time in whole microseconds from an arbitrary origin. */
  monotonicUs(): number
}

/** The clocks of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicUs: () => Math.floor(performance.now() * 1000),
}
