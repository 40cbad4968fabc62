/**
 * The generic cell rate algorithm in its virtual-scheduling form (ITU-T I.371 annex A), in whole microseconds below
 * 2^53. A bucket is one number, `tatUs`: its theoretical arrival time, the time at which it is full again.
 */

/** Converts calls per second into microseconds per call, rounded up so that the rate is never exceeded. */
export const toIntervalUs = (rate: number): number => Math.ceil(1_000_000 / rate)

/**
 * Limits a bucket to the state of an empty one. `tatUs` can only be later if the limits were tightened or the state was
 * restored; its subject would then wait longer than the current limits require.
 */
export const limitToBurst = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.min(tatUs, nowUs + burst * intervalUs)

/**
 * Returns the microseconds until the next call conforms, or 0. An idle bucket admits exactly `burst` calls at the same
 * time.
 */
export const computeWaitUs = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.max(0, tatUs - (burst - 1) * intervalUs - nowUs)

/** Returns the theoretical arrival time after one more call. */
export const spend = (tatUs: number, nowUs: number, intervalUs: number): number => Math.max(tatUs, nowUs) + intervalUs

/** Returns the number of calls that would conform now. */
export const computeCallsLeft = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.max(0, Math.floor((burst * intervalUs - Math.max(0, tatUs - nowUs)) / intervalUs))
