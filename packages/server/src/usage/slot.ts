const minuteMs = 60_000
const hourMs = 60 * minuteMs
const quarterMs = 15 * minuteMs
const dayMs = 24 * hourMs
/**
 * The largest offset from UTC is 14 hours (IANA tz database), and all offsets are multiples of a quarter of an hour.
 */
const maxOffsetMs = 14 * hourMs

/**
 * The times of a UTC day, in minutes, at which a calendar day starts in a zone whose offset is not a multiple of an
 * hour: Newfoundland, Marquesas, Chatham, Lord Howe, Darwin, Eucla, Cocos, Nepal, India, Kabul, Tehran.
 */
const dayStartMinutes = [150, 210, 570, 615, 675, 810, 870, 915, 1050, 1095, 1110, 1170, 1230]

/** Start of the slot of each quarter of a UTC day, in milliseconds since its midnight. */
const slotStarts = Array.from({ length: 96 }, (_, quarter) => {
  const hour = Math.floor(quarter / 4) * 60
  return Math.max(hour, ...dayStartMinutes.filter(minute => minute <= quarter * 15)) * minuteMs
})

/**
 * Returns the start of the roll-up slot of a time. A slot is an hour, divided where a day starts in some time zone;
 * near the end of a month it is a quarter of an hour, for offsets that no zone has. Sums by day are therefore exact in
 * every time zone, and statements with every offset of quarters.
 */
export function getSlotStart(timeMs: number): number {
  if (isNearMonthEnd(timeMs)) return Math.floor(timeMs / quarterMs) * quarterMs
  const dayStartMs = getDayStart(timeMs)
  return dayStartMs + slotStarts[Math.floor((timeMs - dayStartMs) / quarterMs)]!
}

/** Returns the start of the undivided slot, as in ledgers that were made before hours were divided. */
export function getUndividedSlotStart(timeMs: number): number {
  const span = isNearMonthEnd(timeMs) ? quarterMs : hourMs
  return Math.floor(timeMs / span) * span
}

function isNearMonthEnd(timeMs: number): boolean {
  const { startMs, endMs } = getMonthBounds(timeMs)
  return timeMs - startMs < maxOffsetMs || endMs - timeMs <= maxOffsetMs
}

/** Returns the start of the next slot after `timeMs`; slots start on quarters of an hour. */
export function getNextSlotStart(timeMs: number): number {
  let at = Math.floor(timeMs / quarterMs) * quarterMs + quarterMs
  while (getSlotStart(at) !== at) at += quarterMs
  return at
}

/** Returns the start of the UTC day of a time. */
export const getDayStart = (timeMs: number): number => Math.floor(timeMs / dayMs) * dayMs

let latestBounds = { startMs: 0, endMs: 0 }

/**
 * Returns the start and the end of the UTC month of a time. Caches the latest result, because calls arrive in order of
 * time.
 */
function getMonthBounds(timeMs: number): { readonly startMs: number; readonly endMs: number } {
  if (timeMs >= latestBounds.startMs && timeMs < latestBounds.endMs) return latestBounds
  const date = new Date(timeMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  latestBounds = { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
  return latestBounds
}
