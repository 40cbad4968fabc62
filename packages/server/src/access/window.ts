/** Length of a quota window, milliseconds (SPEC §8.2). */
export const windowMs = 86_400_000

/** `startMs` of a subject that has no window. */
export const noWindow = 0

/** Half-open: a window is over at exactly 24 hours. */
export const isOpen = (startMs: number, nowMs: number): boolean => startMs !== noWindow && nowMs < startMs + windowMs

/** Microseconds until the window is over; 0 when it is. */
export const windowLeftUs = (startMs: number, nowUs: number): number => Math.max(0, (startMs + windowMs) * 1000 - nowUs)
