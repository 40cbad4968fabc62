import type { FieldError } from '../../domain/fault.ts'
import { getValues, InvalidParameter, type ParamSet, type RawQuery, type Values } from './param.ts'
import { booleanParam, flagParam } from './single-params.ts'
import { describeUnknownNames, findUnknownNames } from './unknown-names.ts'

/** The parameter that turns unknown parameters into errors, for every operation (R-31). */
export const strictParam = booleanParam({
  description:
    'With `true`, a parameter that the operation does not have is an error instead of being listed in the header Ignored-Parameters.',
})

/** The parameter that indents answers, for every operation (R-168). */
export const prettyParam = flagParam({ description: 'Indent the JSON of the answer: `pretty` or `pretty=true`.' })

/**
 * Parses all parameters and returns either their values or every error. Unknown names are errors if `strict` is true
 * (R-31).
 */
export function readParams<S extends ParamSet>(
  set: S,
  query: RawQuery,
): { values: Values<S> } | { errors: FieldError[] } {
  const errors: FieldError[] = []
  const values: Record<string, unknown> = {}
  for (const name in set) {
    const param = set[name]!
    const read = param.read(getAllValues(query, name, param.aliases))
    if (read instanceof InvalidParameter) errors.push(toFieldError(name, read))
    else values[name] = read
  }
  if (query.strict !== undefined) errors.push(...checkStrictly(set, query))
  if (query.pretty !== undefined) errors.push(...checkPretty(query))
  return errors.length > 0 ? { errors } : { values: values as Values<S> }
}

/** Returns all values sent under a name and its aliases, in this order. */
export function getAllValues(query: RawQuery, name: string, aliases: readonly string[]): readonly string[] {
  let values = getValues(query, name)
  // Few requests use an alias, so that nothing is copied.
  for (const alias of aliases) if (query[alias] !== undefined) values = [...values, ...getValues(query, alias)]
  return values
}

/** Returns true if the request has `strict=true`. */
export const isStrict = (query: RawQuery): boolean => strictParam.read(getValues(query, 'strict')) === true

/** Returns true if the request wants an indented answer. */
export const isPretty = (query: RawQuery): boolean =>
  query.pretty !== undefined && prettyParam.read(getValues(query, 'pretty')) === true

function checkPretty(query: RawQuery): FieldError[] {
  const pretty = prettyParam.read(getValues(query, 'pretty'))
  return pretty instanceof InvalidParameter ? [toFieldError('pretty', pretty)] : []
}

/** Returns the errors of a request with `strict`: an invalid value of it, or the first unknown parameters. */
function checkStrictly(set: ParamSet, query: RawQuery): FieldError[] {
  const strict = strictParam.read(getValues(query, 'strict'))
  if (strict instanceof InvalidParameter) return [toFieldError('strict', strict)]
  if (strict !== true) return []
  // The values stay out of the errors: the value of `key` is a secret.
  return describeUnknownNames(set, findUnknownNames(set, query)).map(({ name, suggestion }) => ({
    field: name,
    message: `${name} is not a parameter of this operation.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`,
  }))
}

function toFieldError(field: string, invalid: InvalidParameter): FieldError {
  return {
    field,
    message: `${field} ${invalid.message}.`,
    ...(invalid.value !== undefined && { rejectedValue: invalid.value.slice(0, 200) }),
  }
}
