import { isTimeZone, toWallClock } from '../kit/time.ts'
import { encodeHours, type MinuteSpan, spansOf } from './encoded-hours.ts'
import type { OpeningHours } from './opening-hours.ts'

const minutesPerDay = 1440
/** Days that are searched for the next opening. */
const lookAheadDays = 14

/** State of a place, open or closed, in its local time; days count from today (0), minutes from midnight. */
export type OpeningState =
  | { readonly isOpen: true; readonly closes?: LocalMoment }
  | { readonly isOpen: false; readonly opens?: LocalMoment }

/** A moment in local time. */
export interface LocalMoment {
  /** Days since 1970-01-01. */
  readonly day: number
  /** Days from today. */
  readonly inDays: number
  readonly minute: number
}

/**
 * Returns whether a place is open and when that changes; undefined if its hours are unknown. A place that never
 * closes, or does not open again within two weeks, has no change. `zoneAt` is the zone of a record that names none.
 */
export function openingStateOf(
  hours: OpeningHours | undefined,
  zone: string | undefined,
  zoneAt: () => string,
  nowMs: number,
): OpeningState | undefined {
  const encoded = hours && encodeHours(hours)
  const now = encoded && toWallClock(nowMs, zone !== undefined && isTimeZone(zone) ? zone : zoneAt())
  if (!now) return undefined
  const spans = joinSpans(
    Array.from({ length: lookAheadDays + 1 }, (_, i) => i - 1).flatMap(inDays =>
      spansOf(encoded, now.day + inDays).map(
        ([from, to]): MinuteSpan => [from + inDays * minutesPerDay, to + inDays * minutesPerDay],
      ),
    ),
  )
  const moment = (minutes: number): LocalMoment => {
    const inDays = Math.floor(minutes / minutesPerDay)
    return { day: now.day + inDays, inDays, minute: minutes - inDays * minutesPerDay }
  }
  const open = spans.find(([from, to]) => now.minute >= from && now.minute < to)
  const next = spans.find(([from]) => from > now.minute)
  if (open) {
    const isEndless = open[1] >= lookAheadDays * minutesPerDay
    return { isOpen: true, ...(!isEndless && { closes: moment(open[1]) }) }
  }
  return { isOpen: false, ...(next && { opens: moment(next[0]) }) }
}

/** Joins spans that touch or overlap, such as days of 24 hours; ascending. */
function joinSpans(spans: readonly MinuteSpan[]): MinuteSpan[] {
  const joined: MinuteSpan[] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && from <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], to)]
    else joined.push([from, to])
  }
  return joined
}
