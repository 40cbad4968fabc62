/**
 * Penalty for retrying in a tight loop (SPEC §7, R-10). A refusal by the rate starts an episode and promises a time in
 * Retry-After. A call before that time is refused even if the bucket has refilled, and postpones it. All times are in
 * microseconds.
 */
export interface Penalty {
  /** Time of the first refusal of the episode. */
  readonly firstRefusalUs: number
  /** The promised time, after which only the bucket decides again; `noEpisode` if there is no promise. */
  readonly promiseUs: number
  /** Calls before the promised time, counted at most once per second; the end of an episode removes one. */
  readonly strikes: number
  /** Time of the last strike. */
  readonly struckUs: number
}

export interface PenaltySettings {
  readonly enabled: boolean
  /** Calls within this time after the first refusal may have been in flight when it was sent. */
  readonly graceUs: number
  /** Maximum wait after a strike. */
  readonly capUs: number
}

/** Defaults of R-10. */
export const penaltyDefaults: PenaltySettings = { enabled: true, graceUs: 500_000, capUs: 60_000_000 }

/** `promiseUs` outside of an episode. */
export const noEpisode = 0
const secondUs = 1_000_000
const maxStrikes = 7

/**
 * `free`: no episode. `due`: the promised time has passed. `grace`: the bucket decides. `held`: refused with a strike.
 */
export type EpisodePhase = 'free' | 'due' | 'grace' | 'held'

/** Returns the phase in which a call arrives now. */
export function getEpisodePhase(penalty: Penalty | undefined, nowUs: number, graceUs: number): EpisodePhase {
  if (penalty === undefined || penalty.promiseUs === noEpisode) return 'free'
  if (nowUs >= penalty.promiseUs) return 'due'
  return nowUs - penalty.firstRefusalUs <= graceUs ? 'grace' : 'held'
}

/** Starts an episode; strikes of earlier episodes remain. */
export const startEpisode = (previous: Penalty | undefined, nowUs: number, promiseUs: number): Penalty => ({
  firstRefusalUs: nowUs,
  promiseUs,
  strikes: previous?.strikes ?? 0,
  struckUs: previous?.struckUs ?? 0,
})

/** Adds a strike: postpones the promised time to at least 1, 2, 4 … seconds from now, up to the cap. */
export function addStrike(penalty: Penalty, nowUs: number, settings: PenaltySettings): Penalty {
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

/** Ends an episode and removes one strike; returns undefined if no strike is left. */
export const endEpisode = (penalty: Penalty): Penalty | undefined =>
  penalty.strikes <= 1 ? undefined : { ...penalty, promiseUs: noEpisode, strikes: penalty.strikes - 1 }
