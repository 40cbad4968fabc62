import { type ClockNow, measureClockStep } from '../access/clock-step.ts'
import type { LimitState } from '../access/limit-state.ts'
import { type LimitSettings, Limits } from '../access/limits.ts'
import { createTimeline } from '../access/timeline.ts'
import type { Config } from '../config/load.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { Engine } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { createLiveLimits } from '../limits/live-limits.ts'
import { openLayout } from '../store/folder/layout.ts'
import { journalIn } from '../usage/journal-reader.ts'
import { readStates, type StoredStates } from '../usage/recover.ts'
import { applyForgivenPenalties } from './forgiven-penalties.ts'

/** Returns the settings of the limits of a configuration. */
export function getLimitSettings({ limits, search }: Config): LimitSettings {
  const { penalty, penaltyGraceMs, penaltyCapSeconds } = limits
  return {
    searchCountsTowardPackage: search.countsTowardPackage,
    penalty: { enabled: penalty, graceUs: penaltyGraceMs * 1000, capUs: penaltyCapSeconds * 1_000_000 },
  }
}

/**
 * Restores the states of the previous process. Returns those that this changed, and the lag of the wall clock.
 */
export function restoreLimits(
  limits: Limits,
  { states, last, clock }: StoredStates,
  start: ClockNow,
  nowUs: number,
): { readonly changed: LimitState[]; readonly behindMs: number } {
  const before = {
    last,
    start: clock && { wallMs: clock.startMs, boot: clock.boot },
    behindMs: clock?.behindMs ?? 0,
  }
  const { stepMs, behindMs } = measureClockStep(before, start)
  return { changed: limits.restore(states, nowUs, { ...last, setForwardMs: Math.max(0, stepMs) }), behindMs }
}

/**
 * Returns the state of limits as the ledger and the journal have it: what a process that starts now would restore. For
 * commands, which run next to a process that serves, or without one.
 */
export const composeStoredLimits = (
  { ledger, keys }: Pick<Engine, 'ledger' | 'keys'>,
  config: Config,
  clock: Clock = systemClock,
): Pick<LiveState, 'limitsOf' | 'forgive'> => ({
  limitsOf: async key => {
    const start = { wallMs: clock.nowMs(), boot: clock.boot?.() }
    const timeline = createTimeline({ wallMs: start.wallMs, monotonicUs: clock.monotonicUs() })
    const limits = new Limits(getLimitSettings(config))
    const stored = await readStates(journalIn(openLayout(config.data).journal), ledger, start.wallMs)
    restoreLimits(limits, stored, start, timeline.at(clock.monotonicUs()))
    await applyForgivenPenalties(keys, limits)
    return createLiveLimits(limits, { timeline, clock, packageTable: config }).statusOf(key)
  },
  // The process that serves follows the stored decision.
  forgive: async () => {},
})
