/** Time as an argument: rules never read a clock themselves, so that tests can move it. */
export interface Clock {
  /** Wall time, milliseconds since 1970. May step. */
  nowMs(): number
  /** Monotonic time in whole microseconds from an arbitrary origin. Never goes back. */
  monotonicUs(): number
}

/** The machine's own clocks. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicUs: () => Math.floor(performance.now() * 1000),
}
