/**
 * The timeline of all limits: microseconds since 1970, started from the wall clock and advanced by the monotonic clock,
 * so that steps of the wall clock do not affect it. Stored states keep these times unchanged; the next process
 * starts a new timeline from the wall clock and adjusts them.
 */
export interface Timeline {
  /** Converts a monotonic reading to a time on this timeline; both in microseconds. */
  at(monotonicUs: number): number
  /**
   * Returns the total step of the wall clock since the timeline started, in milliseconds; 0 if it is less than a
   * second, because time synchronization adjusts the clock gradually. Stored with usage, so that a restart can shift
   * states to the new wall time.
   */
  shiftMs(wallMs: number, nowUs: number): number
}

/** Creates a timeline from simultaneous readings of both clocks. */
export function createTimeline(origin: { readonly wallMs: number; readonly monotonicUs: number }): Timeline {
  const offsetUs = origin.wallMs * 1000 - origin.monotonicUs
  return {
    at: monotonicUs => monotonicUs + offsetUs,
    shiftMs: (wallMs, nowUs) => {
      const shift = wallMs - Math.floor(nowUs / 1000)
      return Math.abs(shift) < 1000 ? 0 : shift
    },
  }
}
