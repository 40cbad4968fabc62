import { windowMs } from '../domain/quota-window.ts'

/** `startMs` of a subject without a window. */
export const noWindow = 0

/** Returns true while a window is open. Half-open: it ends after exactly 24 hours. */
export const isWindowOpen = (startMs: number, nowMs: number): boolean =>
  startMs !== noWindow && nowMs < startMs + windowMs

/** Returns the microseconds until the window ends, or 0. */
export const windowLeftUs = (startMs: number, nowUs: number): number => Math.max(0, (startMs + windowMs) * 1000 - nowUs)
