import { daysSinceEpoch } from './time.ts'

/** Returns the date that is a number of days after a calendar date such as `2026-01-31`. */
export const addDays = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()

/** Returns the calendar dates from one to another, both included. */
export function datesBetween(from: string, to: string): string[] {
  const [first, last] = [daysSinceEpoch(from)!, daysSinceEpoch(to)!]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => addDays(from, i))
}
