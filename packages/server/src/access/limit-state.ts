import type { LimitedBucket } from './limit-policy.ts'
import type { Penalty } from './penalty.ts'

/** The state of one subject in one bucket, on the process's timeline; restored after a restart. */
export interface LimitState {
  /** A key id, or a partner id as `getSubject` writes it. */
  readonly subject: string
  readonly bucket: LimitedBucket
  /** 0 when no window was ever opened. */
  readonly windowStartMs: number
  /** Units charged in that window. */
  readonly used: number
  /** The moment at which the rate bucket is full again. */
  readonly tatUs: number
  readonly penalty?: Penalty
}

const maxPenaltyUs = 60_000_000

/** The end of the previous process: the arrival of its last call, and the steps of the wall clock while it ran. */
export interface PreviousClock {
  readonly timeMs: number
  readonly shiftMs: number
}

/**
 * Adapts a stored state to a process that starts at `nowUs`. The state moves with the steps of the wall clock, so
 * that no window gets shorter. Where the clock was set back since, a bucket is no further ahead than it was, a penalty ends
 * within 60 s, and a window that would start in the future starts now.
 */
export function restoreState(state: LimitState, nowUs: number, last: PreviousClock): LimitState {
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
        promiseUs: Math.min(moved(penalty.promiseUs), nowUs + maxPenaltyUs),
        strikes: penalty.strikes,
        struckUs: Math.min(moved(penalty.struckUs), nowUs),
      },
    }),
  }
}

/** Returns the subject whose limits a key spends: the key (SPEC §8.1, R-12), or its partner by agreement. */
export const getSubject = (key: {
  readonly id: string
  readonly partnerId: string
  readonly agreement: { readonly subject?: 'key' | 'partner' }
}): string => (key.agreement.subject === 'partner' ? `partner/${key.partnerId}` : key.id)
