/**
 * The time line that all limits live on: microseconds since 1970 that started from the wall clock once and run on the
 * monotonic clock from then on. A step of the wall clock does not touch it; states on it can be stored as they
 * are, because the next process starts its own line from the wall clock again.
 */
export interface Timeline {
  /** From a reading of the monotonic clock, microseconds. */
  at(monotonicUs: number): number
  /**
   * How far the wall clock has been stepped since the line began, milliseconds; 0 for less than a second, which is
   * the clock being disciplined. Stored with usage, so that a restart can move states into the new wall time.
   */
  shiftMs(wallMs: number, nowUs: number): number
}

/** Begins a line at one simultaneous reading of both clocks. */
export function timeline(origin: { readonly wallMs: number; readonly monotonicUs: number }): Timeline {
  const offsetUs = origin.wallMs * 1000 - origin.monotonicUs
  return {
    at: monotonicUs => monotonicUs + offsetUs,
    shiftMs: (wallMs, nowUs) => {
      const shift = wallMs - Math.floor(nowUs / 1000)
      return Math.abs(shift) < 1000 ? 0 : shift
    },
  }
}
