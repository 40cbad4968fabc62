const minuteMs = 60_000
const hourMs = 60 * minuteMs
const quarterMs = 15 * minuteMs
const dayMs = 24 * hourMs
/** The largest offset from UTC is 14 hours (IANA tz database), and all offsets are multiples of a quarter of an hour. */
const maxOffsetMs = 14 * hourMs

/**
 * Returns the start of the roll-up slot of a time. A slot is an hour; near the turn of a month, which some time zones have on a
 * quarter of an hour, it is a quarter. Statements are therefore exact in every time zone.
 */
export function getSlotStart(timeMs: number): number {
  const { before, after } = monthTurns(timeMs)
  const near = timeMs - before < maxOffsetMs || after - timeMs <= maxOffsetMs
  const span = near ? quarterMs : hourMs
  return Math.floor(timeMs / span) * span
}

/** Returns the start of the UTC day of a time. */
export const getDayStart = (timeMs: number): number => Math.floor(timeMs / dayMs) * dayMs

let latestTurns = { before: 0, after: 0 }

/** Returns the turns of the month around a time, UTC. It caches the latest result, because calls arrive in order of time. */
function monthTurns(timeMs: number): { readonly before: number; readonly after: number } {
  if (timeMs >= latestTurns.before && timeMs < latestTurns.after) return latestTurns
  const date = new Date(timeMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  latestTurns = { before: Date.UTC(year, month), after: Date.UTC(year, month + 1) }
  return latestTurns
}
