import { indentJson } from '../../kit/indent-json.ts'
import { stringifyLongJson } from '../../kit/long-json.ts'

/** Returns the values that a record has at a path such as `['categories[]', 'id']`, in order. */
export function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return value === undefined || isEmptyText(stringifyLongJson(value)) ? [] : [value]
  const isList = step.endsWith('[]')
  const member = (Object(value) as Readonly<Record<string, unknown>>)[isList ? step.slice(0, -2) : step]
  const members: readonly unknown[] = isList ? (Array.isArray(member) ? member : []) : [member]
  return members.flatMap(one => valuesAt(one, rest))
}

/** Returns true for the JSON of the values with which version 0 says that a value is missing. */
export const isEmptyText = (json: string): boolean => ['null', '""', '{}', '[]'].includes(json)

/** Returns a value as JSON on one line; of a list the first element and the number of the others. */
export function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length < 2) return onOneLine(value)
  return `[ ${onOneLine(value[0])}, … ${value.length - 1} more ]`
}

/** Returns JSON on one line with a space after each separator, where a narrow column can break it. */
const onOneLine = (value: unknown): string => indentJson(stringifyLongJson(value)).replaceAll(/\n\s*/g, ' ')
