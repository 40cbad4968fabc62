import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'

/**
 * Logs that the wall clock is behind that of earlier processes; returns the notes for /readyz, until it has caught up
 * (R-29).
 */
export function createClockNotes(clock: Clock, behindMs: number, log: Logger): () => string[] {
  const latestMs = clock.nowMs() + behindMs
  const notes = () => (behindMs > 0 && clock.nowMs() < latestMs ? [clockText(clock.nowMs(), latestMs)] : [])
  for (const note of notes()) log.warn(note)
  return notes
}

const clockText = (nowMs: number, latestMs: number): string =>
  `The clock of this machine shows ${toText(nowMs)}, but calls have been counted up to ${toText(latestMs)}. ` +
  'Open quota windows start again now, and usage is counted at the time that the clock shows. Set the clock if it is wrong.'

const toText = (ms: number): string => new Date(ms).toISOString()
