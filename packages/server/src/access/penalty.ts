/**
 * Tight loops (SPEC §7: they extend the wait; R-10). A refusal by the rate promises a moment; who calls before it is
 * refused although the bucket may have refilled, and moves the moment away. All times in microseconds.
 */
export interface Penalty {
  /** When the episode began. */
  readonly firstRefusalUs: number
  /** From when on a call is judged by the bucket again; `noEpisode` when nothing is promised. */
  readonly promiseUs: number
  /** Refusals within a loop, counted at most once a second; each episode that ends forgives one. */
  readonly strikes: number
  readonly struckUs: number
}

export interface PenaltySettings {
  readonly enabled: boolean
  /** Calls this soon after the first refusal were in flight when it was sent. */
  readonly graceUs: number
  /** The longest wait that a loop can earn. */
  readonly capUs: number
}

/** */
export const penaltyDefaults: PenaltySettings = { enabled: true, graceUs: 500_000, capUs: 60_000_000 }

export const noEpisode = 0
const secondUs = 1_000_000
const mostStrikes = 7

/** `free`: no episode. `due`: the promise is kept. `grace`: the bucket decides. `held`: refused, and a strike. */
export type Standing = 'free' | 'due' | 'grace' | 'held'

/** How a call that arrives now stands. */
export function standingOf(penalty: Penalty | undefined, nowUs: number, graceUs: number): Standing {
  if (penalty === undefined || penalty.promiseUs === noEpisode) return 'free'
  if (nowUs >= penalty.promiseUs) return 'due'
  return nowUs - penalty.firstRefusalUs <= graceUs ? 'grace' : 'held'
}

/** An episode begins, with strikes left over from earlier ones. */
export const begin = (before: Penalty | undefined, nowUs: number, promiseUs: number): Penalty => ({
  firstRefusalUs: nowUs,
  promiseUs,
  strikes: before?.strikes ?? 0,
  struckUs: before?.struckUs ?? 0,
})

/** A call came before the promise: the promise moves to at least 1, 2, 4 … seconds from now, up to the cap. */
export function strike(penalty: Penalty, nowUs: number, settings: PenaltySettings): Penalty {
  const counts = penalty.strikes === 0 || nowUs - penalty.struckUs >= secondUs
  const strikes = counts ? Math.min(mostStrikes, penalty.strikes + 1) : penalty.strikes
  const wait = Math.min(settings.capUs, 2 ** (strikes - 1) * secondUs)
  return {
    ...penalty,
    strikes,
    struckUs: counts ? nowUs : penalty.struckUs,
    promiseUs: Math.max(penalty.promiseUs, nowUs + wait),
  }
}

/** The episode ends and one strike is forgiven; undefined when nothing is left to remember. */
export const settle = (penalty: Penalty): Penalty | undefined =>
  penalty.strikes <= 1 ? undefined : { ...penalty, promiseUs: noEpisode, strikes: penalty.strikes - 1 }
