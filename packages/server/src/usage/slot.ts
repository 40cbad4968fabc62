const minuteMs = 60_000
const hourMs = 60 * minuteMs
const quarterMs = 15 * minuteMs
const dayMs = 24 * hourMs
/** The largest offset from UTC is 14 hours (IANA tz database), and all offsets are multiples of a quarter of an hour. */
const maxOffsetMs = 14 * hourMs

/**
 * Returns the start of the roll-up slot of a time. A slot is an hour; near the end of a month it is a quarter of an hour,
 * because in some time zones the month ends on a quarter. Statements are therefore exact in every time zone.
 */
export function getSlotStart(timeMs: number): number {
  const { startMs, endMs } = getMonthBounds(timeMs)
  const near = timeMs - startMs < maxOffsetMs || endMs - timeMs <= maxOffsetMs
  const span = near ? quarterMs : hourMs
  return Math.floor(timeMs / span) * span
}

/** Returns the start of the UTC day of a time. */
export const getDayStart = (timeMs: number): number => Math.floor(timeMs / dayMs) * dayMs

let latestBounds = { startMs: 0, endMs: 0 }

/** Returns the start and the end of the UTC month of a time. Caches the latest result, because calls arrive in order of time. */
function getMonthBounds(timeMs: number): { readonly startMs: number; readonly endMs: number } {
  if (timeMs >= latestBounds.startMs && timeMs < latestBounds.endMs) return latestBounds
  const date = new Date(timeMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  latestBounds = { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
  return latestBounds
}
