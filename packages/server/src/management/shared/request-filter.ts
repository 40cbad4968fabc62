import { faults } from '../../domain/fault.ts'
import { operationNames } from '../../domain/operation.ts'
import type { CallQuery } from '../../domain/request-log.ts'
import { addDays } from '../../kit/dates.ts'
import { isCalendarDate, startOfDay } from '../../kit/time.ts'

/** Filters of the list of requests, as the URL has them. */
export interface RequestFilter {
  readonly partner?: string
  readonly key?: string
  readonly operation?: string
  /** A status such as 429, or a class such as 4xx. */
  readonly status?: string
  /** Code of a fault. */
  readonly fault?: string
  /** First and last date in the zone of the reader, both included. */
  readonly from?: string
  readonly to?: string
}

/** A filter and what is wrong with its parameters, by name; a wrong parameter is left out. */
export interface ReadRequestFilter {
  readonly filter: RequestFilter
  readonly errors: Readonly<Partial<Record<keyof RequestFilter, string>>>
}

const checks = {
  operation: {
    isValid: (text: string) => operationNames.some(name => name === text),
    message: 'This operation does not exist. Choose one of the list.',
  },
  status: {
    isValid: (text: string) => /^[1-5](\d\d|xx)$/.test(text),
    message: 'This is not a status. Enter one such as 429, or a class such as 4xx.',
  },
  fault: {
    isValid: (text: string) => Object.hasOwn(faults, text),
    message: 'This error does not exist. Choose one of the list.',
  },
  from: { isValid: isCalendarDate, message: 'This is not a date. Enter one such as 2026-01-31.' },
  to: { isValid: isCalendarDate, message: 'This is not a date. Enter one such as 2026-01-31.' },
} as const

/** Reads the filter of the URL. */
export function readRequestFilter(query: Readonly<Record<string, string | undefined>>): ReadRequestFilter {
  const { partner, key, operation, status, fault, from, to } = query
  const given = Object.entries({ partner, key, operation, status, fault, from, to }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  const wrong = given.filter(([name, value]) => name in checks && !checks[name as keyof typeof checks].isValid(value))
  const errors = wrong.map(([name]) => [name, checks[name as keyof typeof checks].message])
  const filter: RequestFilter = Object.fromEntries(given.filter(pair => !wrong.includes(pair)))
  if (filter.from === undefined || filter.to === undefined || filter.from <= filter.to)
    return { filter, errors: Object.fromEntries(errors) }
  const { from: _, ...rest } = filter
  return { filter: rest, errors: Object.fromEntries([...errors, ['from', 'The first day is after the last.']]) }
}

/** Returns the query of the request log for a filter. */
export const toCallQuery = (
  { key, operation, status, fault, from, to }: RequestFilter,
  zone: string,
): Omit<CallQuery, 'visibility' | 'limit'> => ({
  keyId: key,
  operation,
  fault,
  ...(status !== undefined && {
    statusFrom: Number(status.replace('xx', '00')),
    statusTo: Number(status.replace('xx', '99')),
  }),
  ...(from !== undefined && { fromMs: startOfDay(from, zone) }),
  ...(to !== undefined && { toMs: startOfDay(addDays(to, 1), zone) }),
})
