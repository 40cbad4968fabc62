/**
 * The timeline of all limits: microseconds since 1970, started once from the wall clock and driven by the monotonic clock
 * . A step of the wall clock does not move it. States on it are stored as they are, because the next process starts
 * its own timeline from the wall clock.
 */
export interface Timeline {
  /** Converts a reading of the monotonic clock, in microseconds. */
  at(monotonicUs: number): number
  /**
   * Returns the steps of the wall clock since the timeline started, in milliseconds; 0 for less than a second, which is
   * clock discipline. Stored with usage, so that a restart can move states to the new wall time.
   */
  shiftMs(wallMs: number, nowUs: number): number
}

/** Starts a timeline at one simultaneous reading of both clocks. */
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
