import type { LimitedBucket } from './limit-policy.ts'
import type { Penalty } from './penalty.ts'

/** All that is known of one subject in one bucket, on the process's timeline; what a restart needs. */
export interface LimitState {
  /** A key id, or a partner id as `subjectOf` writes it. */
  readonly subject: string
  readonly bucket: LimitedBucket
  /** 0: no window was ever opened. */
  readonly windowStartMs: number
  /** Units charged in that window. */
  readonly used: number
  /** When the rate bucket is full again. */
  readonly tatUs: number
  readonly penalty?: Penalty
}

const longestPenaltyUs = 60_000_000

/** The end of the process before: when its last call arrived, and how far the wall clock was stepped under it. */
export interface LastSeen {
  readonly timeMs: number
  readonly shiftMs: number
}

/**
 * A stored state made fit for a process that starts at `nowUs`. It is moved by the steps of the wall clock, so
 * that no window gets shorter; and where the clock was set back since, a bucket lies no further ahead than it did then,
 * a penalty by 60 s at most, and a window that would begin in the future begins now.
 */
export function settleOnLoad(state: LimitState, nowUs: number, last: LastSeen): LimitState {
  const { windowStartMs, tatUs, penalty, ...rest } = state
  const setBackUs = Math.max(0, last.timeMs * 1000 - nowUs)
  const moved = (us: number) => (us === 0 ? 0 : us + last.shiftMs * 1000 - setBackUs)
  return {
    ...rest,
    windowStartMs: windowStartMs === 0 ? 0 : Math.min(windowStartMs + last.shiftMs, Math.floor(nowUs / 1000)),
    tatUs: moved(tatUs),
    ...(penalty && {
      penalty: {
        firstRefusalUs: Math.min(moved(penalty.firstRefusalUs), nowUs),
        promiseUs: Math.min(moved(penalty.promiseUs), nowUs + longestPenaltyUs),
        strikes: penalty.strikes,
        struckUs: Math.min(moved(penalty.struckUs), nowUs),
      },
    }),
  }
}

/** Whose limits a key spends: its own (SPEC §8.1, R-12), or its partner's where the agreement says so. */
export const subjectOf = (key: {
  readonly id: string
  readonly partnerId: string
  readonly agreement: { readonly subject?: 'key' | 'partner' }
}): string => (key.agreement.subject === 'partner' ? `partner/${key.partnerId}` : key.id)
