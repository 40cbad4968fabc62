import type { Fault } from '../../domain/fault.ts'
import type { Operation } from '../../domain/operation.ts'
import type { Call } from './call.ts'
import { getParams } from './params.ts'

/** Name under which the records of a body are reported. */
export const recordsField = 'records'

/** Returns the documented part of the name of a field: `records` of `records[2].name`. */
const baseOf = (field: string): string => field.replace(/^records\[.*$/s, recordsField)

/** Documented names of every operation in addition to its parameters. */
const commonFields: readonly string[] = ['version', 'strict', 'pretty', recordsField]

/**
 * Returns the names of the wrong parameters as they are documented. A name that the operation does not have is a text
 * of the client; `strict`, which makes it an error, represents it.
 */
export function listDocumentedFields({ fieldErrors = [] }: Fault, call: Call, operation: Operation): readonly string[] {
  const documented = getParams(call.version, operation)
  const isKnown = (name: string) =>
    Object.hasOwn(documented, name) || Object.hasOwn(call.params, name) || commonFields.includes(name)
  return [...new Set(fieldErrors.map(({ field }) => baseOf(field)).map(name => (isKnown(name) ? name : 'strict')))]
}
