import { type Status, type StatusValue, statusValues } from '../domain/location.ts'
import { compact, type FieldReader } from './field-reader.ts'

/**
 * Reads the status, nested or flat, or returns the configured default. Only closed places have a closing date
 * and only temporarily closed ones a reopening date; other dates are dropped with a note.
 */
export function readStatus(fields: FieldReader, defaultStatus: StatusValue | undefined): Status | undefined {
  const nested = typeof fields.raw('status') === 'object' ? fields.object('status') : undefined
  const from = nested ?? fields
  const value = from.choice(nested ? 'value' : 'status', statusValues, 'unknown_status') ?? defaultStatus
  const closedDate = from.date('closed_date')
  const reopenDate = from.date('reopen_date')
  const closes = value === 'CLOSED' || value === 'TEMPORARILY_CLOSED'
  const reopens = value === 'TEMPORARILY_CLOSED'
  if ((closedDate !== undefined && !closes) || (reopenDate !== undefined && !reopens))
    fields.note('status_date_dropped')
  if (value === undefined) return undefined
  return compact<Status>({
    value,
    closedDate: closes ? closedDate : undefined,
    reopenDate: reopens ? reopenDate : undefined,
  })
}
