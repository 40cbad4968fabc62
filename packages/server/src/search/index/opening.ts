import { type DayOfWeek, daysOfWeek, type OpeningHours } from '../../domain/opening-hours.ts'
import { daysSinceEpoch, type WallClock } from '../../kit/time.ts'

const minutesOfDay = 1440
const unreadable = 0xffff

/**
 * Opening hours as whole numbers below 65,536, for the index: the count of weekly periods, three numbers for each
 * (weekday 0-6 from Monday, opens, closes, in minutes), then three for each special day (days since 1970, opens,
 * closes; 0xffff twice: closed all day). A close at or before the opening is counted on into the next day.
 */
export type EncodedHours = ArrayLike<number>

/** undefined where there is nothing that can be read: such hours are unknown, never closed. */
export function encodeHours(hours: OpeningHours): number[] | undefined {
  const periods = (hours.periods ?? []).map(({ dayOfWeek, opens, closes }) =>
    span(weekdays.get(dayOfWeek), opens, closes),
  )
  const special = (hours.specialDays ?? []).map(({ date, opens, closes }) =>
    opens === undefined && closes === undefined
      ? [dayNumber(date), unreadable, unreadable]
      : span(dayNumber(date), opens, closes),
  )
  const all = [...periods, ...special]
  if (all.length === 0 || all.some(entry => entry === undefined || entry[0] === undefined)) return undefined
  return [periods.length, ...(all as number[][]).flat()]
}

const weekdays = new Map<DayOfWeek, number>(daysOfWeek.map((day, i) => [day, i]))

function span(day: number | undefined, opens = '', closes = ''): number[] | undefined {
  const from = minutes(opens)
  const to = minutes(closes)
  if (day === undefined || from === undefined || to === undefined) return undefined
  return [day, from, to <= from ? to + minutesOfDay : to]
}

function minutes(time: string): number | undefined {
  const parts = /^(\d{1,2}):(\d{2})$/.exec(time)
  if (parts === null) return undefined
  const total = Number(parts[1]) * 60 + Number(parts[2])
  return total <= minutesOfDay && Number(parts[2]) < 60 ? total : undefined
}

function dayNumber(date: string): number | undefined {
  const days = daysSinceEpoch(date)
  return days !== undefined && days >= 0 && days < 0xffff ? days : undefined
}

/** Whether the hours are running at that local time; yesterday's may reach past midnight. */
export function isOpen(hours: EncodedHours, now: WallClock): boolean {
  return opensOn(hours, now.day, now.minute) || opensOn(hours, now.day - 1, now.minute + minutesOfDay)
}

/** Whether a period that begins on `day` covers `minute`, counted from that day's midnight. */
function opensOn(hours: EncodedHours, day: number, minute: number): boolean {
  const periods = hours[0]!
  let replaced = false
  for (let at = 1 + periods * 3; at < hours.length; at += 3) {
    if (hours[at] !== day) continue
    replaced = true
    if (hours[at + 1] !== unreadable && minute >= hours[at + 1]! && minute < hours[at + 2]!) return true
  }
  if (replaced) return false
  // 1970-01-01 was a Thursday.
  const weekday = (((day + 3) % 7) + 7) % 7
  for (let i = 0, at = 1; i < periods; i++, at += 3) {
    if (hours[at] === weekday && minute >= hours[at + 1]! && minute < hours[at + 2]!) return true
  }
  return false
}
