import { type Clock, systemClock } from '../src/kit/clock.ts'

/** A wall clock that a test sets; monotonic time goes on by itself. */
export function settableClock(ms: number): Clock & { ms: number } {
  return {
    ms,
    nowMs() {
      return this.ms
    },
    monotonicUs: systemClock.monotonicUs,
  }
}
