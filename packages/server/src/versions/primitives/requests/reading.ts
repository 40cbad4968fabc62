import { type Fault, type FieldError, fault } from '../../../domain/fault.ts'
import { type ParamSet, type RawQuery, readParams, type Values } from '../param.ts'

/** Reads a set of parameters into the arguments of an operation; every wrong one is named. */
export function reading<S extends ParamSet, A>(set: S, query: RawQuery, toArgs: (values: Values<S>) => A): A | Fault {
  const read = readParams(set, query)
  return 'values' in read ? toArgs(read.values) : invalid(read.errors)
}

/** 400 with what is wrong, field by field. */
export const invalid = (errors: readonly FieldError[]): Fault =>
  fault('parameters_invalid', {
    detail: [...new Set(errors.map(error => error.message))].join(' '),
    fieldErrors: errors,
  })
