/**
 * Calendar and time-zone arithmetic, by Temporal. The only place that knows zones: a zone is an IANA name or a UTC offset
 * such as `+01:00`; moments are milliseconds since 1970.
 */

const dayMs = 86_400_000
const minuteMs = 60_000

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const instantPattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
const leapSecond = /^\d{2}:\d{2}:60/

/** A half-open span of time. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The reading of a wall clock. */
export interface WallClock {
  /** Calendar days since 1970-01-01. */
  readonly day: number
  /** Minutes since midnight, 0 to 1439. */
  readonly minute: number
}

/** Returns true for a calendar date that exists, written as `2026-01-31`. */
export const isCalendarDate = (text: string): boolean => calendarDate(text) !== undefined

/** Returns the number of days from 1970-01-01 to a date such as `2026-01-31`; undefined for a date that does not exist. */
export function daysSinceEpoch(date: string): number | undefined {
  const parsed = calendarDate(date)
  return parsed && Date.UTC(parsed.year, parsed.month - 1, parsed.day) / dayMs
}

/**
 * Parses a date (its first moment in UTC) or a date-time of RFC 3339. Also accepts what databases write: a space for the
 * `T`, the offsets `+02` and `+0200`, no offset (then UTC), no seconds. Returns undefined for other text and for dates
 * and times that do not exist, such as 2026-02-30; leap seconds are not accepted.
 */
export function parseInstant(text: string): number | undefined {
  const [, date, time = '00:00', offset = 'Z'] = instantPattern.exec(text) ?? []
  if (date === undefined || leapSecond.test(time)) return undefined
  // ISO 8601 allows 24:00 for the end of a day; Temporal does not.
  const endOfDay = /^24:00(?::00(?:\.0+)?)?$/.test(time)
  const start = orUndefined(() => Temporal.Instant.from(`${date}T${endOfDay ? '00:00' : time}${offset}`))
  return start && start.epochMilliseconds + (endOfDay ? dayMs : 0)
}

/** Returns true when the zone exists. */
export const isTimeZone = (zone: string): boolean => normalizeTimeZone(zone) !== undefined

/** Returns the zone in its official spelling (`europe/madrid` gives `Europe/Madrid`); undefined when it does not exist. */
export const normalizeTimeZone = (zone: string): string | undefined => zoned(0, zone)?.timeZoneId

/** Returns the calendar date in a zone, such as `2026-01-31`. Throws a RangeError for an unknown zone. */
export function toLocalDate(timeMs: number, zone: string): string {
  const there = zoned(timeMs, zone)
  if (there === undefined) throw new RangeError(`The time zone ${zone} does not exist.`)
  return new Date(localMs(there)).toISOString().slice(0, 10)
}

/** Returns the first moment of a calendar date in a zone. Throws a RangeError for an unknown zone or date. */
export const startOfDay = (date: string, zone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds

/** Returns the span of a calendar month (`2026-11`) in a zone. Throws a RangeError for an unknown zone or month. */
export function getMonthSpan(month: string, zone: string): Span {
  const start = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
  const startMs = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds
  return { fromMs: startMs(start), toMs: startMs(start.add({ months: 1 })) }
}

/** Returns the wall clock of a zone, daylight saving included; undefined when the zone does not exist. */
export function toWallClock(timeMs: number, zone: string): WallClock | undefined {
  const there = zoned(timeMs, zone)
  if (there === undefined) return undefined
  const local = localMs(there)
  const day = Math.floor(local / dayMs)
  return { day, minute: Math.floor((local - day * dayMs) / minuteMs) }
}

const calendarDate = (text: string): Temporal.PlainDate | undefined =>
  datePattern.test(text) ? orUndefined(() => Temporal.PlainDate.from(text)) : undefined

function zoned(timeMs: number, zone: string): Temporal.ZonedDateTime | undefined {
  const ns = BigInt(Math.floor(timeMs)) * 1_000_000n
  // The constructor takes a name only; other functions of Temporal also take the zone of a date-time text.
  return orUndefined(() => new Temporal.ZonedDateTime(ns, zone))
}

/** Returns the milliseconds since 1970 at which a clock in UTC reads the same. */
const localMs = (there: Temporal.ZonedDateTime): number => there.epochMilliseconds + there.offsetNanoseconds / 1e6

/** Temporal reports invalid text by throwing a RangeError. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
