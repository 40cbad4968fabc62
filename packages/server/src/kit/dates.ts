import { dayMs, daysSinceEpoch } from './time.ts'

/**
 * Returns the date that is a number of days after a calendar date such as `2026-01-31`. Throws a RangeError for a date
 * that does not exist.
 */
export const addDays = (date: string, days: number): string => dateOf(daysSinceEpoch(date)! + days)

/** Returns the calendar dates from one to another, both included. */
export function datesBetween(from: string, to: string): string[] {
  const [first, last] = [daysSinceEpoch(from)!, daysSinceEpoch(to)!]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => dateOf(first + i))
}

/** Years after 9999 have a sign and six digits, as in ISO 8601. */
const dateOf = (day: number): string => new Date(day * dayMs).toISOString().replace(/T.*/, '')
