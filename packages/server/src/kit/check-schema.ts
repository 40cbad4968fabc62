import type { ValueSchema } from './expected-value.ts'
import { isCalendarDate, isRfc3339 } from './time.ts'

/** The keywords of JSON Schema that are checked. */
export interface CheckedSchema extends ValueSchema {
  readonly items?: CheckedSchema
  readonly anyOf?: readonly CheckedSchema[]
  readonly properties?: Readonly<Record<string, CheckedSchema>>
  readonly patternProperties?: Readonly<Record<string, CheckedSchema>>
  readonly additionalProperties?: boolean
  readonly required?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly exclusiveMaximum?: number
  readonly default?: unknown
}

/** A value that differs from its schema: a member that is missing or unknown, or a value that is wrong. */
export interface SchemaError {
  readonly kind: 'missing' | 'unknown' | 'wrong'
  readonly path: readonly string[]
}

/** Returns a copy of a JSON value in which missing members have the defaults of their schemas. */
export function fillDefaults(schema: CheckedSchema, value: unknown): unknown {
  const filled = value === undefined && schema.default !== undefined ? structuredClone(schema.default) : value
  if (schema.anyOf) {
    for (const option of schema.anyOf) {
      const candidate = fillDefaults(option, filled)
      if (findSchemaErrors(option, candidate).length === 0) return candidate
    }
    return filled
  }
  const { items, properties } = schema
  if (items && Array.isArray(filled)) return filled.map(item => fillDefaults(items, item))
  if (!properties || !isObject(filled)) return filled
  const copy = { ...filled }
  for (const [name, member] of Object.entries(properties)) {
    const child = fillDefaults(member, Object.hasOwn(filled, name) ? filled[name] : undefined)
    if (child !== undefined) copy[name] = child
  }
  return copy
}

/** Returns where a JSON value differs from its schema; no errors if it is valid. A path can have several. */
export function findSchemaErrors(
  schema: CheckedSchema,
  value: unknown,
  path: readonly string[] = [],
): readonly SchemaError[] {
  const { anyOf, items } = schema
  const branches = anyOf?.map(option => findSchemaErrors(option, value, path))
  const fitsBranch = branches?.some(({ length }) => length === 0) ?? true
  // An array literal, because a call with hundreds of thousands of arguments overflows the stack.
  return [
    ...(isObject(value) ? findMemberErrors(schema, value, path) : []),
    ...(items && Array.isArray(value)
      ? value.flatMap((item, at) => findSchemaErrors(items, item, [...path, String(at)]))
      : []),
    ...(fitsBranch ? [] : branches!.flat()),
    ...(fitsBranch && fitsItself(schema, value) ? [] : [{ kind: 'wrong' as const, path }]),
  ]
}

/**
 * Returns the errors of an object's members: the missing ones, the unknown ones, then the wrong ones as the schema
 * orders them.
 */
function findMemberErrors(
  { properties = {}, patternProperties = {}, additionalProperties, required = [] }: CheckedSchema,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): SchemaError[] {
  const patterns = Object.entries(patternProperties).map(
    ([pattern, child]) => [new RegExp(pattern, 'u'), child] as const,
  )
  const isKnown = (name: string) => Object.hasOwn(properties, name) || patterns.some(([pattern]) => pattern.test(name))
  const names = Object.keys(value)
  const missing = required.filter(name => !Object.hasOwn(value, name))
  const unknown = additionalProperties === false ? names.filter(name => !isKnown(name)) : []
  const children = [
    ...patterns.flatMap(([pattern, child]) =>
      names.filter(name => pattern.test(name)).map(name => [name, child] as const),
    ),
    ...Object.entries(properties).filter(([name]) => Object.hasOwn(value, name)),
  ]
  return [
    ...missing.map(name => ({ kind: 'missing' as const, path: [...path, name] })),
    ...unknown.map(name => ({ kind: 'unknown' as const, path: [...path, name] })),
    ...children.flatMap(([name, child]) => findSchemaErrors(child, value[name], [...path, name])),
  ]
}

/** Checks everything except members, items and branches. */
function fitsItself(schema: CheckedSchema, value: unknown): boolean {
  if (schema.type !== undefined && !hasType(value, schema.type)) return false
  if (schema.const !== undefined && value !== schema.const) return false
  if (schema.enum && !schema.enum.includes(value)) return false
  if (typeof value === 'number') return isInRange(schema, value)
  if (typeof value === 'string') return fitsText(schema, value)
  return !Array.isArray(value) || fitsList(schema, value)
}

function hasType(value: unknown, type: NonNullable<ValueSchema['type']>): boolean {
  if (type === 'object') return isObject(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  return typeof value === type
}

const isInRange = (schema: CheckedSchema, value: number): boolean =>
  value >= (schema.minimum ?? -Infinity) &&
  value <= (schema.maximum ?? Infinity) &&
  value > (schema.exclusiveMinimum ?? -Infinity) &&
  value < (schema.exclusiveMaximum ?? Infinity)

function fitsText({ minLength = 0, maxLength = Infinity, pattern, format }: CheckedSchema, value: string): boolean {
  // JSON Schema counts code points. A text has at most as many as UTF-16 code units, and at least half as many.
  const isCounted = value.length < 2 * minLength || value.length > maxLength
  const length = isCounted ? [...value].length : value.length
  return (
    length >= minLength &&
    length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
    (format !== 'date' || isCalendarDate(value)) &&
    (format !== 'date-time' || isRfc3339(value))
  )
}

const fitsList = (
  { minItems = 0, maxItems = Infinity, uniqueItems }: CheckedSchema,
  value: readonly unknown[],
): boolean =>
  value.length >= minItems && value.length <= maxItems && (!uniqueItems || new Set(value).size === value.length)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
