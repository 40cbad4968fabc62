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

/**
 * A stored state made fit for a process that starts at `nowUs`: moved by `shiftMs`, which the wall clock was stepped
 * while the last process ran, and cut to what R-29 allows. A rate state that lies too far ahead is cut when its burst
 * is known, at the first look (gcra.ts).
 */
export function settleOnLoad(state: LimitState, nowUs: number, shiftMs: number): LimitState {
  const { windowStartMs, tatUs, penalty, ...rest } = state
  const shiftUs = shiftMs * 1000
  return {
    ...rest,
    windowStartMs: windowStartMs === 0 ? 0 : Math.min(windowStartMs + shiftMs, Math.floor(nowUs / 1000)),
    tatUs: tatUs === 0 ? 0 : tatUs + shiftUs,
    ...(penalty && {
      penalty: {
        firstRefusalUs: Math.min(penalty.firstRefusalUs + shiftUs, nowUs),
        promiseUs: penalty.promiseUs === 0 ? 0 : Math.min(penalty.promiseUs + shiftUs, nowUs + longestPenaltyUs),
        strikes: penalty.strikes,
        struckUs: Math.min(penalty.struckUs + shiftUs, nowUs),
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
