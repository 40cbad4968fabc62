/** A source of time. Domain rules do not read a clock but take the time as an argument, so that tests can set it. */
export interface Clock {
  /** Returns wall time in milliseconds since 1970. It may jump forwards and backwards. */
  nowMs(): number
  /** Returns monotonic time in whole microseconds from an arbitrary origin. */
  monotonicUs(): number
}

/** The clocks of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicUs: () => Math.floor(performance.now() * 1000),
}
