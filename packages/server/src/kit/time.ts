/**
 * Calendar and time-zone arithmetic, based on Temporal. All code that depends on time zones is here. A zone is an IANA
 * name or a UTC offset such as `+01:00`; times are in milliseconds since 1970.
 */

/** A day of 24 hours, in milliseconds. */
export const dayMs = 86_400_000
/** An hour, in milliseconds. */
export const hourMs = 3_600_000
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

/** Returns true if the text is an existing calendar date such as `2026-01-31`. */
export const isCalendarDate = (text: string): boolean => calendarDate(text) !== undefined

/** Returns the number of days from 1970-01-01 to a date such as `2026-01-31`; undefined if the date does not exist. */
export function daysSinceEpoch(date: string): number | undefined {
  const parsed = calendarDate(date)
  return parsed && Date.UTC(parsed.year, parsed.month - 1, parsed.day) / dayMs
}

/**
 * Parses a date (as 00:00 UTC) or an RFC 3339 date-time to milliseconds since 1970. Also accepts the formats of
 * databases: a space for the `T`, the offsets `+02` and `+0200`, no offset (then UTC), no seconds. Returns undefined
 * for other text and for dates and times that do not exist, such as 2026-02-30. Leap seconds are not accepted.
 */
export function parseInstant(text: string): number | undefined {
  const [, date, time = '00:00', offset = 'Z'] = instantPattern.exec(text) ?? []
  if (date === undefined || leapSecond.test(time)) return undefined
  // ISO 8601 allows 24:00 for the end of a day; Temporal does not.
  const endOfDay = /^24:00(?::00(?:\.0+)?)?$/.test(time)
  const start = orUndefined(() => Temporal.Instant.from(`${date}T${endOfDay ? '00:00' : time}${offset}`))
  return start && start.epochMilliseconds + (endOfDay ? dayMs : 0)
}

const rfc3339Pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i

/**
 * Returns true if the text is an RFC 3339 date-time that exists, such as `2026-01-31T12:00:00Z`. Leap seconds are not
 * accepted.
 */
export const isRfc3339 = (text: string): boolean => rfc3339Pattern.test(text) && parseInstant(text) !== undefined

/** Returns true if the zone exists. */
export const isTimeZone = (zone: string): boolean => normalizeTimeZone(zone) !== undefined

/**
 * Returns the zone in its official spelling (`europe/madrid` gives `Europe/Madrid`); undefined if it does not exist.
 */
export const normalizeTimeZone = (zone: string): string | undefined => toZoned(0, zone)?.timeZoneId

/** Returns the calendar date in a zone, such as `2026-01-31`. Throws a RangeError for an unknown zone. */
export function toLocalDate(timeMs: number, zone: string): string {
  const zoned = toZoned(timeMs, zone)
  if (zoned === undefined) throw new RangeError(`The time zone ${zone} does not exist.`)
  return new Date(toLocalMs(zoned)).toISOString().slice(0, 10)
}

/** Returns the calendar date of a time in UTC, such as `2026-11-20`. */
export const toUtcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Returns the start of the UTC day of a time. */
export const startOfUtcDay = (ms: number): number => ms - (ms % dayMs)

/** Returns the start of the UTC hour of a time. */
export const startOfHour = (ms: number): number => ms - (ms % hourMs)

/** Returns the start of a calendar date in a zone. Throws a RangeError for an unknown zone or date. */
export const startOfDay = (date: string, zone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds

/**
 * Returns the starts of the calendar dates of a zone that start within a span, without one that starts with the span.
 */
export function startsOfDays({ fromMs, toMs }: Span, zone: string): number[] {
  const starts: number[] = []
  let date = Temporal.PlainDate.from(toLocalDate(fromMs, zone))
  for (let startMs = fromMs; startMs < toMs; startMs = date.toZonedDateTime(zone).epochMilliseconds) {
    if (startMs > (starts.at(-1) ?? fromMs)) starts.push(startMs)
    date = date.add({ days: 1 })
  }
  return starts
}

/** Returns the span of a calendar month (`2026-11`) in a zone. Throws a RangeError for an unknown zone or month. */
export function getMonthSpan(month: string, zone: string): Span {
  const start = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
  const startMs = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds
  return { fromMs: startMs(start), toMs: startMs(start.add({ months: 1 })) }
}

/** Returns the local time in a zone, including daylight saving time; undefined if the zone does not exist. */
export function toWallClock(timeMs: number, zone: string): WallClock | undefined {
  const zoned = toZoned(timeMs, zone)
  if (zoned === undefined) return undefined
  const local = toLocalMs(zoned)
  const day = Math.floor(local / dayMs)
  return { day, minute: Math.floor((local - day * dayMs) / minuteMs) }
}

/**
 * Parses a local date-time without an offset, such as `2026-01-31T20:00`, to the reading of a wall clock. Returns
 * undefined for other text and for dates and times that do not exist.
 */
export function parseWallClock(text: string): WallClock | undefined {
  const [, date, hour, minute] = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::[0-5]\d)?$/.exec(text) ?? []
  const day = date === undefined ? undefined : daysSinceEpoch(date)
  return day === undefined || Number(hour) > 23 || Number(minute) > 59
    ? undefined
    : { day, minute: Number(hour) * 60 + Number(minute) }
}

/**
 * Formats the reading of a wall clock in a zone as RFC 3339 with its offset: `2026-01-31T20:00:00+01:00`. A time that a
 * change of the clock leaves out is that long after the change.
 */
export const formatInZone = ({ day, minute }: WallClock, zone: string): string =>
  new Temporal.PlainDate(1970, 1, 1)
    .add({ days: day })
    .toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(Math.floor(minute / 60), minute % 60) })
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })

const calendarDate = (text: string): Temporal.PlainDate | undefined =>
  datePattern.test(text) ? orUndefined(() => Temporal.PlainDate.from(text)) : undefined

function toZoned(timeMs: number, zone: string): Temporal.ZonedDateTime | undefined {
  const ns = BigInt(Math.floor(timeMs)) * 1_000_000n
  // The constructor accepts only a zone name; other Temporal functions would also accept a date-time with a zone.
  return orUndefined(() => new Temporal.ZonedDateTime(ns, zone))
}

/** Returns the time, in milliseconds since 1970, at which a UTC clock shows the same local time. */
const toLocalMs = (zoned: Temporal.ZonedDateTime): number => zoned.epochMilliseconds + zoned.offsetNanoseconds / 1e6

/** Returns undefined if `read` throws a RangeError, which is how Temporal reports invalid text. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Formats a time for messages: `2026-11-22 12:13:18 UTC`. */
export const formatUtc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
