import { daysSinceEpoch, type WallClock } from '../kit/time.ts'
import { type DayOfWeek, daysOfWeek, type OpeningHours } from './opening-hours.ts'

const minutesPerDay = 1440
/** Marks a special day without opening hours. */
const closedAllDay = 0xffff

/**
 * Opening hours as unsigned 16-bit integers: the number of weekly periods; three numbers for each period (weekday, 0
 * for Monday, opening and closing time in minutes since midnight); three for each special day (days since 1970-01-01,
 * opening and closing time; 0xffff for both if closed all day). A closing time at or before the opening time is on the
 * next day and has 1,440 added.
 */
export type EncodedHours = ArrayLike<number>

/**
 * Encodes opening hours. Returns undefined if they are empty or any value is invalid: such hours are unknown, not
 * closed.
 */
export function encodeHours(hours: OpeningHours): number[] | undefined {
  const periods = (hours.periods ?? []).map(({ dayOfWeek, opens, closes }) =>
    span(weekdays.get(dayOfWeek), opens, closes),
  )
  const special = (hours.specialDays ?? []).map(({ date, opens, closes }) =>
    opens === undefined && closes === undefined
      ? [dayNumber(date), closedAllDay, closedAllDay]
      : span(dayNumber(date), opens, closes),
  )
  const all = [...periods, ...special]
  if (all.length === 0 || all.some(entry => entry === undefined || entry[0] === undefined)) return undefined
  return [periods.length, ...(all as number[][]).flat()]
}

const weekdays = new Map<DayOfWeek, number>(daysOfWeek.map((day, i) => [day, i]))

/** Encodes a period; undefined if a value is invalid. */
function span(day: number | undefined, opens = '', closes = ''): number[] | undefined {
  const from = minutes(opens)
  const to = minutes(closes)
  if (day === undefined || from === undefined || to === undefined) return undefined
  return [day, from, to <= from ? to + minutesPerDay : to]
}

/** Parses HH:MM up to 24:00 into minutes since midnight. */
function minutes(time: string): number | undefined {
  const parts = /^(\d{1,2}):(\d{2})$/.exec(time)
  if (parts === null) return undefined
  const total = Number(parts[1]) * 60 + Number(parts[2])
  return total <= minutesPerDay && Number(parts[2]) < 60 ? total : undefined
}

/** Parses an ISO date into days since 1970-01-01. */
function dayNumber(date: string): number | undefined {
  const days = daysSinceEpoch(date)
  return days !== undefined && days >= 0 && days < 0xffff ? days : undefined
}

/**
 * Returns true if a location is open at a local time, including periods of the previous day that end after midnight.
 */
export function isOpenAt(hours: EncodedHours, now: WallClock): boolean {
  return isOpenFrom(hours, now.day, now.minute) || isOpenFrom(hours, now.day - 1, now.minute + minutesPerDay)
}

/** A span of minutes since midnight of the day on which it starts; `to` may be on the next day. */
export type MinuteSpan = readonly [from: number, to: number]

/**
 * Returns the spans that start on a day (days since 1970-01-01), in the order of the source; special days replace
 * weekly ones.
 */
export function spansOf(hours: EncodedHours, day: number): MinuteSpan[] {
  const periods = hours[0]!
  const entries = Array.from({ length: (hours.length - 1) / 3 }, (_, i) => [1, 2, 3].map(at => hours[i * 3 + at]!))
  const special = entries.slice(periods).filter(([on]) => on === day)
  const weekly = entries.slice(0, periods).filter(([on]) => on === toWeekday(day))
  return (special.length > 0 ? special : weekly).flatMap(([, from, to]) =>
    from === closedAllDay ? [] : [[from!, to!] as const],
  )
}

/** Returns the weekday of a day, 0 for Monday. 1970-01-01 was a Thursday. */
const toWeekday = (day: number): number => (((day + 3) % 7) + 7) % 7

/** Returns true if a period that starts on `day` includes `minute`, counted from midnight of that day. */
function isOpenFrom(hours: EncodedHours, day: number, minute: number): boolean {
  const periods = hours[0]!
  let isSpecialDay = false
  for (let at = 1 + periods * 3; at < hours.length; at += 3) {
    if (hours[at] !== day) continue
    isSpecialDay = true
    if (hours[at + 1] !== closedAllDay && minute >= hours[at + 1]! && minute < hours[at + 2]!) return true
  }
  if (isSpecialDay) return false
  const weekday = toWeekday(day)
  for (let i = 0, at = 1; i < periods; i++, at += 3) {
    if (hours[at] === weekday && minute >= hours[at + 1]! && minute < hours[at + 2]!) return true
  }
  return false
}
