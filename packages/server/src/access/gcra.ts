/**
 * The generic cell rate algorithm in its virtual-scheduling form (ITU-T I.371 annex A), in whole microseconds below
 * 2^53. A bucket is one number, `tatUs`: the theoretical arrival time, at which it will be full again.
 */

/** Microseconds that one call costs at `rate` calls per second, rounded up so that the rate is never exceeded. */
export const intervalOf = (rate: number): number => Math.ceil(1_000_000 / rate)

/**
 * A bucket never lies further ahead than a drained one. It only does after its limits were made tighter or its state
 * was loaded; without the cut its holder would wait longer than the present limits can ask for.
 */
export const cutToBurst = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.min(tatUs, nowUs + burst * intervalUs)

/** Microseconds until the next call conforms; 0 when one does now. Exactly `burst` conform at once from idle. */
export const waitOf = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.max(0, tatUs - (burst - 1) * intervalUs - nowUs)

/** The bucket after one call. */
export const spend = (tatUs: number, nowUs: number, intervalUs: number): number => Math.max(tatUs, nowUs) + intervalUs

/** Calls that would conform at once. */
export const leftOf = (tatUs: number, nowUs: number, intervalUs: number, burst: number): number =>
  Math.max(0, Math.floor((burst * intervalUs - Math.max(0, tatUs - nowUs)) / intervalUs))
