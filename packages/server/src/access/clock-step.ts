import type { LastRecord } from '../domain/ledger.ts'
import type { BootTime } from '../kit/clock.ts'

/** The clocks of the previous process. */
export interface ClockBefore {
  /** Its last call: wall time, and the steps of the wall clock from the start of the process to that call. */
  readonly last: LastRecord
  /** Its start; undefined for a process that did not store it. */
  readonly start?: ClockNow | undefined
  /** Time by which its wall clock was behind that of earlier processes at its start; 0 if it was not. */
  readonly behindMs: number
}

/** The clocks of a process that starts. */
export interface ClockNow {
  readonly wallMs: number
  readonly boot: BootTime | undefined
}

/** A step of the wall clock between two processes. */
export interface ClockStep {
  /** Milliseconds by which the wall clock was set forward, or back if negative; 0 if it was not, as far as is known. */
  readonly stepMs: number
  /** Milliseconds by which the wall clock is behind that of earlier processes; 0 if it is not. */
  readonly behindMs: number
}

/** Differences of the clocks up to this are not steps: clocks drift, and suspended machines stop some of them. */
const toleranceMs = 900_000
/** Smallest lag that counts as a step back: time synchronization adjusts smaller ones gradually. */
const minBehindMs = 1000

/**
 * Decides whether the wall clock was set between two processes. A clock that is behind the last call was set
 * back. A clock that is ahead was set forward if the time since the start of the machine shows that less time has
 * passed. If the machine was restarted in between, a clock that is ahead looks the same as a pause. It counts as a
 * pause, unless the clock was behind before: then it counts as a correction, so that a correction does not end a
 * window.
 */
export function measureClockStep(before: ClockBefore, now: ClockNow): ClockStep {
  const { last } = before
  const gapMs = now.wallMs - last.timeMs
  const wasBehindMs = Math.max(0, before.behindMs - last.shiftMs)
  if (gapMs < 0) {
    const missingMs = wasBehindMs - gapMs
    return { stepMs: gapMs, behindMs: missingMs > minBehindMs ? missingMs : 0 }
  }
  const elapsedMs = measureElapsed(before, now)
  const aheadMs = elapsedMs === undefined ? Math.min(gapMs, wasBehindMs) : gapMs - elapsedMs
  const isStep = (elapsedMs === undefined ? gapMs : aheadMs) > toleranceMs
  const stepMs = isStep ? aheadMs : 0
  return { stepMs, behindMs: Math.max(0, wasBehindMs - stepMs) }
}

/**
 * Returns the milliseconds since the last call of the previous process; undefined if the machine was started in
 * between.
 */
function measureElapsed({ last, start }: ClockBefore, now: ClockNow): number | undefined {
  if (!start?.boot || !now.boot || start.boot.id !== now.boot.id) return undefined
  const sinceStartMs = (now.boot.us - start.boot.us) / 1000
  const elapsedMs = sinceStartMs - (last.timeMs - last.shiftMs - start.wallMs)
  // A container may have a time of its own, which starts at 0 with each start of the container.
  return sinceStartMs < 0 ? undefined : Math.max(0, Math.round(elapsedMs))
}
