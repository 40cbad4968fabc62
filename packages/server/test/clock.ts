import { type Clock, systemClock } from '../src/kit/clock.ts'

/** Returns a clock whose wall time the test sets; monotonic time is real. */
export function settableClock(ms: number): Clock & { ms: number } {
  const clock = { ms, nowMs: () => clock.ms, monotonicUs: systemClock.monotonicUs }
  return clock
}
