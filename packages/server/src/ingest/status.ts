import { type Status, type StatusValue, statusValues } from '../domain/location.ts'
import { compact, type FieldReader } from './field-reader.ts'

/**
 * Reads the status, nested or flat, or returns the configured default. A closing date
 * requires a closed place, and a reopening date a temporarily closed one; other dates are dropped with a note.
 */
export function readStatus(fields: FieldReader, defaultStatus: StatusValue | undefined): Status | undefined {
  const nested = typeof fields.raw('status') === 'object' ? fields.object('status') : undefined
  const from = nested ?? fields
  const value = from.choice(nested ? 'value' : 'status', statusValues, 'unknown_status') ?? defaultStatus
  const closedDate = from.date('closed_date')
  const reopenDate = from.date('reopen_date')
  const isClosed = value === 'CLOSED' || value === 'TEMPORARILY_CLOSED'
  const isTemporary = value === 'TEMPORARILY_CLOSED'
  if ((closedDate !== undefined && !isClosed) || (reopenDate !== undefined && !isTemporary))
    fields.note('status_date_dropped')
  if (value === undefined) return undefined
  return compact<Status>({
    value,
    closedDate: isClosed ? closedDate : undefined,
    reopenDate: isTemporary ? reopenDate : undefined,
  })
}
