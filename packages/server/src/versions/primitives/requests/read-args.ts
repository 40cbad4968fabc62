import { type Fault, type FieldError, fault } from '../../../domain/fault.ts'
import type { ParamSet, RawQuery, Values } from '../param.ts'
import { readParams } from '../read-params.ts'

/** Parses a set of parameters into the arguments of an operation, or returns a fault with every invalid parameter. */
export function readArgs<S extends ParamSet, A>(set: S, query: RawQuery, toArgs: (values: Values<S>) => A): A | Fault {
  const read = readParams(set, query)
  return 'values' in read ? toArgs(read.values) : invalidParameters(read.errors)
}

/** Returns the 400 fault for invalid parameters. */
export const invalidParameters = (errors: readonly FieldError[]): Fault =>
  fault('parameters_invalid', {
    detail: [...new Set(errors.map(({ message }) => message))].join(' '),
    fieldErrors: errors,
  })

/** Builds a field error. */
export const toFieldError = (field: string, message: string, value?: number): FieldError => ({
  field,
  message,
  ...(value !== undefined && { rejectedValue: String(value) }),
})
