import { type Status, type StatusValue, statusValues } from '../domain/location.ts'
import { fold } from '../kit/fold.ts'
import { compact, type FieldReader } from './field-reader.ts'

/** Other words of each status in published data, and in the languages of column names. */
const otherWords: Readonly<Record<StatusValue, string>> = {
  OPEN: 'opened operational active in_business geöffnet offen ouvert abierto aperto aberto 営業中 营业 营业中',
  CLOSED:
    'permanently_closed closed_permanently out_of_business inactive geschlossen dauerhaft_geschlossen fermé fermé_définitivement ' +
    'cerrado cerrado_permanentemente chiuso chiuso_definitivamente fechado fechado_permanentemente 閉店 停业 已停业',
  TEMPORARILY_CLOSED:
    'closed_temporarily vorübergehend_geschlossen fermé_temporairement cerrado_temporalmente temporaneamente_chiuso ' +
    'chiuso_temporaneamente fechado_temporariamente 臨時休業 休業中 暂停营业',
}

const toWord = (text: string): string => fold(text.trim()).replaceAll(/[\s-]+/g, '_')

const byWord = new Map(
  statusValues.flatMap(value => otherWords[value].split(' ').map(word => [toWord(word), value] as const)),
)

/**
 * Reads the status, nested or flat, or returns the configured default. A closing date
 * requires a closed place, and a reopening date a temporarily closed one; other dates are dropped with a note.
 */
export function readStatus(fields: FieldReader, defaultStatus: StatusValue | undefined): Status | undefined {
  const nested = typeof fields.raw('status') === 'object' ? fields.object('status') : undefined
  const from = nested ?? fields
  const value = readValue(from, nested ? 'value' : 'status') ?? defaultStatus
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

function readValue(from: FieldReader, name: string): StatusValue | undefined {
  const text = from.text(name)
  if (text === undefined) return undefined
  const upper = text.trim().toUpperCase().replaceAll(' ', '_')
  const value = statusValues.find(one => one === upper) ?? byWord.get(toWord(text))
  if (value !== undefined) return value
  from.unknown('status', text.trim())
  return from.reject(name, 'unknown_status', `must be one of ${statusValues.join(', ')}, not ${text.slice(0, 40)}`)
}
