import { type Clock, systemClock } from '../src/kit/clock.ts'

/** A wall clock that a test sets; monotonic time goes on by itself. */
export function settableClock(ms: number): Clock & { ms: number } {
  const clock = { ms, nowMs: () => clock.ms, monotonicUs: systemClock.monotonicUs }
  return clock
}
