/**
 * The generic cell rate algorithm in its virtual-scheduling form (ITU-T I.371 annex A), in whole microseconds below
 * 2^53. A bucket is one number, `tatUs`: its theoretical arrival time, when the bucket will be full again.
 */

/** Converts calls per second into microseconds per call, rounded up so that the rate is never exceeded. */
export const toIntervalUs = (rate: number): number => Math.ceil(1_000_000 / rate)

/**
 * Cuts a bucket to the state of a drained one. A bucket is further ahead only after its limits were tightened or its state
 * was loaded; without the cut its subject would wait longer than the present limits require.
 */
export const limitToBurst = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.min(tatUs, nowUs + burst * intervalUs)

/** Returns the microseconds until the next call conforms, or 0. Exactly `burst` calls conform at once from idle. */
export const computeWaitUs = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.max(0, tatUs - (burst - 1) * intervalUs - nowUs)

/** Returns the bucket after one call. */
export const spend = (tatUs: number, nowUs: number, intervalUs: number): number => Math.max(tatUs, nowUs) + intervalUs

/** Returns the number of calls that would conform at once. */
export const computeCallsLeft = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.max(0, Math.floor((burst * intervalUs - Math.max(0, tatUs - nowUs)) / intervalUs))
