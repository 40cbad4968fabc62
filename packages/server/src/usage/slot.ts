const minuteMs = 60_000
const hourMs = 60 * minuteMs
const quarterMs = 15 * minuteMs
const dayMs = 24 * hourMs
/** No time zone is further from UTC than 14 hours (IANA tz database), and all are whole quarters of an hour off it. */
const widestOffsetMs = 14 * hourMs

/**
 * The span of the roll-up that a moment belongs to: its hour, and near the turn of a month, where it may begin on a
 * quarter of an hour in some time zone, its quarter. So a statement is exact in every time zone, for ever.
 */
export function slotOf(timeMs: number): number {
  const { before, after } = monthTurns(timeMs)
  const near = timeMs - before < widestOffsetMs || after - timeMs <= widestOffsetMs
  const span = near ? quarterMs : hourMs
  return Math.floor(timeMs / span) * span
}

/** The UTC day of a moment. */
export const dayOf = (timeMs: number): number => Math.floor(timeMs / dayMs) * dayMs

let turns = { before: 0, after: 0 }

/** The turns of the month around a moment, UTC; the last answer is kept, for calls come in the order of time. */
function monthTurns(timeMs: number): { readonly before: number; readonly after: number } {
  if (timeMs >= turns.before && timeMs < turns.after) return turns
  const date = new Date(timeMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  turns = { before: Date.UTC(year, month), after: Date.UTC(year, month + 1) }
  return turns
}
