import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, type FieldError, fault, isFault } from '../../../domain/fault.ts'
import { maxOwnRecords, type OwnRecord } from '../../../domain/match.ts'
import { describeBodyCoding } from '../../../kit/body-coding.ts'
import { parseBoundedJson } from '../../../kit/bounded-json.ts'
import { ownRecordFields } from '../../../versions/primitives/requests/read-match.ts'
import type { Version } from '../../../versions/version.ts'
import { recordsField } from '../documented-fields.ts'

/** Maximum number of errors that a response names. */
const maxErrors = 20

/** Reads the records of a body: a JSON array of up to 100 objects with the fields of a match. */
export function readRecords(body: Buffer, headers: IncomingHttpHeaders, version: Version): OwnRecord[] | Fault {
  const refused = checkMediaType(headers, 'records')
  if (refused) return refused
  const items = parseArray(body)
  if (isFault(items)) return items
  const records: OwnRecord[] = []
  const errors: FieldError[] = []
  for (const [i, item] of items.entries()) {
    const fields = toFields(item)
    const read = isFault(fields) ? fields : version.read.ownRecord(fields)
    if (isFault(read)) errors.push(...(read.fieldErrors ?? []).map(error => ofRecord(i, error)))
    else records.push(read)
    if (errors.length >= maxErrors) break
  }
  if (errors.length === 0) return records
  const fieldErrors = errors.slice(0, maxErrors)
  return fault('body_invalid', { detail: fieldErrors.map(({ message }) => message).join(' '), fieldErrors })
}

/** Returns a fault for a body that is coded or not JSON; `what` names its contents. */
export function checkMediaType(headers: IncomingHttpHeaders, what: string): Fault | undefined {
  const coding = describeBodyCoding(headers['content-encoding'])
  if (coding !== undefined) return fault('media_type_unsupported', { detail: coding })
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return type === 'application/json'
    ? undefined
    : fault('media_type_unsupported', { detail: `Send the ${what} as application/json.` })
}

function parseArray(body: Buffer): unknown[] | Fault {
  let items: unknown
  try {
    items = parseBoundedJson(body.toString())
  } catch {
    return fault('body_invalid', { detail: 'The body is not valid JSON.' })
  }
  const isCount = Array.isArray(items) && items.length >= 1 && items.length <= maxOwnRecords
  return isCount
    ? (items as unknown[])
    : fault('body_invalid', { detail: `The body must be a JSON array of 1 to ${maxOwnRecords} records.` })
}

/** Returns the members of a record as texts, so that they are read like parameters. */
function toFields(item: unknown): Record<string, string> | Fault {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return fault('body_invalid', { fieldErrors: [{ field: '', message: 'is not an object.' }] })
  const fieldErrors: FieldError[] = []
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(item)) {
    const field = name.slice(0, 40)
    if (!ownRecordFields.includes(name))
      fieldErrors.push({ field, message: `${field} is no field of a record; these are ${ownRecordFields.join(', ')}.` })
    else if (typeof value !== 'string' && typeof value !== 'number')
      fieldErrors.push({ field, message: `${field} must be a text or a number.` })
    else fields[name] = String(value)
  }
  return fieldErrors.length > 0 ? fault('body_invalid', { fieldErrors }) : fields
}

const ofRecord = (i: number, { field, message, ...rest }: FieldError): FieldError => ({
  ...rest,
  field: field === '' ? `${recordsField}[${i}]` : `${recordsField}[${i}].${field}`,
  message: `Record ${i}: ${message}`,
})
