/**
 * Tight loops (SPEC §7: they extend the wait; R-10). A refusal by the rate starts an episode and promises a moment. A call
 * before that moment is refused even when the bucket has refilled, and moves the moment on. All times in microseconds.
 */
export interface Penalty {
  /** The first refusal of the episode. */
  readonly firstRefusalUs: number
  /** The promised moment, from which the bucket alone decides again; `noEpisode` when there is no promise. */
  readonly promiseUs: number
  /** Refusals within a loop, counted at most once a second; each episode that ends removes one. */
  readonly strikes: number
  readonly struckUs: number
}

export interface PenaltySettings {
  readonly enabled: boolean
  /** Calls within this time after the first refusal may have been in flight when it was sent. */
  readonly graceUs: number
  /** The longest wait that a loop can cause. */
  readonly capUs: number
}

/** Defaults of R-10. */
export const penaltyDefaults: PenaltySettings = { enabled: true, graceUs: 500_000, capUs: 60_000_000 }

export const noEpisode = 0
const secondUs = 1_000_000
const maxStrikes = 7

/** `free`: no episode. `due`: the promise was kept. `grace`: the bucket decides. `held`: refused, with a strike. */
export type EpisodePhase = 'free' | 'due' | 'grace' | 'held'

/** Returns the phase in which a call arrives now. */
export function episodePhase(penalty: Penalty | undefined, nowUs: number, graceUs: number): EpisodePhase {
  if (penalty === undefined || penalty.promiseUs === noEpisode) return 'free'
  if (nowUs >= penalty.promiseUs) return 'due'
  return nowUs - penalty.firstRefusalUs <= graceUs ? 'grace' : 'held'
}

/** Starts an episode; strikes of earlier episodes remain. */
export const startEpisode = (before: Penalty | undefined, nowUs: number, promiseUs: number): Penalty => ({
  firstRefusalUs: nowUs,
  promiseUs,
  strikes: before?.strikes ?? 0,
  struckUs: before?.struckUs ?? 0,
})

/** Applies a call before the promise: the promise moves to at least 1, 2, 4 … seconds from now, up to the cap. */
export function strike(penalty: Penalty, nowUs: number, settings: PenaltySettings): Penalty {
  const counts = penalty.strikes === 0 || nowUs - penalty.struckUs >= secondUs
  const strikes = counts ? Math.min(maxStrikes, penalty.strikes + 1) : penalty.strikes
  const wait = Math.min(settings.capUs, 2 ** (strikes - 1) * secondUs)
  return {
    ...penalty,
    strikes,
    struckUs: counts ? nowUs : penalty.struckUs,
    promiseUs: Math.max(penalty.promiseUs, nowUs + wait),
  }
}

/** Ends an episode and removes one strike; undefined when no strike is left. */
export const endEpisode = (penalty: Penalty): Penalty | undefined =>
  penalty.strikes <= 1 ? undefined : { ...penalty, promiseUs: noEpisode, strikes: penalty.strikes - 1 }
