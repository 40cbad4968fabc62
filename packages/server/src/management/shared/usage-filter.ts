import type { UsageDimension } from '../../domain/usage-report.ts'
import { addDays, datesBetween } from '../../kit/dates.ts'
import { isCalendarDate, normalizeTimeZone, startOfDay, toLocalDate } from '../../kit/time.ts'

/** The columns by which the chart divides its bars. */
export type SeriesDimension = Exclude<UsageDimension, 'day'>

/** The calls that the page of usage shows. */
export interface UsagePageFilter {
  readonly keyId?: string
  readonly partnerId?: string
  /** First and last date in the zone, both included. */
  readonly from: string
  readonly to: string
  readonly by: SeriesDimension
  readonly show: 'units' | 'calls'
  readonly zone: string
}

/** A filter and what is wrong with its parameters, by name; a wrong parameter has its default. */
export interface ReadUsageFilter {
  readonly filter: UsagePageFilter
  readonly errors: Readonly<Partial<Record<'from' | 'to' | 'tz', string>>>
}

type Query = Readonly<Record<string, string | undefined>>

const defaultDays = 30
const maxDays = 366
/** Longest span that costs no more than another page, in days. */
const costlyDays = 92

/** Reads the filter of the URL: `from` and `to`, or the last `days`; `by`, `show`, `tz`, `key` and `partner`. */
export function readUsageFilter(
  query: Query,
  {
    zone,
    nowMs,
    dimensions,
  }: { readonly zone: string; readonly nowMs: number; readonly dimensions: readonly SeriesDimension[] },
): ReadUsageFilter {
  const given = query.tz === undefined ? zone : normalizeTimeZone(query.tz)
  const used = given ?? zone
  const span = readSpan(query, toLocalDate(nowMs, used))
  const by = dimensions.find(name => name === query.by) ?? 'operation'
  // Refused calls have no units.
  const shown = query.show ?? (by === 'status' ? 'calls' : 'units')
  return {
    filter: {
      ...(query.key !== undefined && { keyId: query.key }),
      ...(query.partner !== undefined && { partnerId: query.partner }),
      from: span.from,
      to: span.to,
      zone: used,
      by,
      show: shown === 'calls' ? 'calls' : 'units',
    },
    errors: {
      ...span.errors,
      ...(given === undefined && { tz: 'This time zone does not exist. Enter one such as Europe/Madrid or UTC.' }),
    },
  }
}

interface DateSpan {
  readonly from: string
  readonly to: string
  readonly errors: ReadUsageFilter['errors']
}

function readSpan({ from, to, days }: Query, today: string): DateSpan {
  const number = Number(days ?? defaultDays)
  const last = Number.isInteger(number) && number >= 1 && number <= maxDays ? number : defaultDays
  const span = { from: addDays(today, 1 - last), to: today }
  if (from === undefined && to === undefined) return { ...span, errors: {} }
  const isDate = (text: string | undefined) => text === undefined || isCalendarDate(text)
  if (!isDate(from)) return { ...span, errors: { from: wrongDate } }
  if (!isDate(to)) return { ...span, errors: { to: wrongDate } }
  const end = to === undefined || to > today ? today : to
  const start = from ?? addDays(end, 1 - defaultDays)
  if (start > end)
    return {
      ...span,
      errors: { from: start > today ? 'This day is in the future.' : 'The first day is after the last.' },
    }
  if (start < addDays(end, 1 - maxDays)) return { ...span, errors: { from: `Choose at most ${maxDays} days.` } }
  return { from: start, to: end, errors: {} }
}

/** Returns true if the span of a URL is longer than `costlyDays`. */
export function isLongSpan(query: Query, nowMs: number): boolean {
  const { from, to } = readSpan(query, toLocalDate(nowMs, 'UTC'))
  return datesBetween(from, to).length > costlyDays
}

const wrongDate = 'This is not a date. Enter one such as 2026-01-31.'

/** The times of a filter, in milliseconds since 1970; `toMs` is missing if the span ends today. */
export interface UsageTimes {
  readonly fromMs: number
  readonly toMs?: number
}

/** Returns the times of a span of dates. */
export function timesOf({ from, to, zone }: Pick<UsagePageFilter, 'from' | 'to' | 'zone'>, nowMs: number): UsageTimes {
  const toMs = startOfDay(addDays(to, 1), zone)
  return { fromMs: startOfDay(from, zone), ...(toMs <= nowMs && { toMs }) }
}

/** Returns the dates of the span of equal length before a filter. */
export function previousSpan(filter: UsagePageFilter): UsagePageFilter {
  const days = datesBetween(filter.from, filter.to).length
  return { ...filter, from: addDays(filter.from, -days), to: addDays(filter.from, -1) }
}

/** Returns the parameters of the URL for a filter. */
export const usageQuery = (filter: UsagePageFilter): Query => ({
  key: filter.keyId,
  partner: filter.partnerId,
  from: filter.from,
  to: filter.to,
  by: filter.by,
  show: filter.show,
  tz: filter.zone,
})
