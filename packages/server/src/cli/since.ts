import { InvalidArgumentError, Option } from 'commander'
import { systemClock } from '../kit/clock.ts'
import { parseInstant } from '../kit/time.ts'
import { parseDuration } from './duration.ts'

/** Returns the option `--since`: a date, a time, or a duration before now. */
export const sinceOption = (what: string): Option =>
  new Option(
    '--since <time>',
    `only ${what} at or after this date or time, or within this duration, such as 7d`,
  ).argParser(since)

/** Parses the start of a period to milliseconds since 1970. */
export function since(text: string): number {
  if (/^\d+[a-z]+$/i.test(text)) return systemClock.nowMs() - parseDuration(text)
  const instant = parseInstant(text)
  if (instant === undefined)
    throw new InvalidArgumentError('Must be a date such as 2026-11-22, an RFC 3339 time, or a duration such as 7d.')
  return instant
}
