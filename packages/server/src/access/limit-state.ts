import type { LimitedBucket } from '../domain/limit-bucket.ts'
import type { Penalty } from './penalty.ts'

/** The state of one subject in one bucket, on the process's timeline; restored after a restart. */
export interface LimitState {
  /** A key id, or a partner id as `getSubject` writes it. */
  readonly subject: string
  readonly bucket: LimitedBucket
  /** 0 if no window was ever opened. */
  readonly windowStartMs: number
  /** Units charged in that window. */
  readonly used: number
  /** GCRA theoretical arrival time, in microseconds; 0 if the bucket is full. */
  readonly tatUs: number
  readonly penalty?: Penalty | undefined
}

const maxPenaltyUs = 60_000_000

/** The clock of the previous process at its last call. */
export interface PreviousClock {
  /** Arrival time of the last call. */
  readonly timeMs: number
  /** Total step of the wall clock while the process ran. */
  readonly shiftMs: number
  /** Time by which the wall clock was set forward after the process ended (clock-step.ts). */
  readonly setForwardMs?: number
}

/**
 * Adapts a stored state to a process that starts at `nowUs`. Times are shifted by the steps of the wall clock,
 * so that no window gets shorter. If the clock was set back after the last call, a bucket waits no longer than before,
 * a penalty ends within 60 s, and a window that would start in the future starts now.
 */
export function restoreState(state: LimitState, nowUs: number, last: PreviousClock): LimitState {
  const { windowStartMs, tatUs, penalty, ...rest } = state
  const setBackUs = Math.max(0, last.timeMs * 1000 - nowUs)
  const shiftMs = last.shiftMs + Math.floor(last.setForwardMs ?? 0)
  const shift = (us: number) => (us === 0 ? 0 : us + shiftMs * 1000 - setBackUs)
  return {
    ...rest,
    windowStartMs: windowStartMs === 0 ? 0 : Math.min(windowStartMs + shiftMs, Math.floor(nowUs / 1000)),
    tatUs: shift(tatUs),
    ...(penalty && {
      penalty: {
        firstRefusalUs: Math.min(shift(penalty.firstRefusalUs), nowUs),
        promiseUs: Math.min(shift(penalty.promiseUs), nowUs + maxPenaltyUs),
        strikes: penalty.strikes,
        struckUs: Math.min(shift(penalty.struckUs), nowUs),
      },
    }),
  }
}
