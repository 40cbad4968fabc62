import type types from 'typebox'

export type { Static, TArray, TNumberOptions, TObject, TProperties, TSchema } from 'typebox'

type Options = Readonly<Record<string, unknown>>

/** Schemas of members that objects do not require. */
const optional = new WeakSet<object>()

function asOptional(schema: object): object {
  const copy = { ...schema }
  optional.add(copy)
  return copy
}

function objectSchema(properties: Readonly<Record<string, object>>, options?: Options): object {
  const required = Object.keys(properties).filter(name => !optional.has(properties[name]!))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

const builders = {
  Array: (items: object, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: Options) => ({ type: 'null', ...options }),
  Number: (options?: Options) => ({ type: 'number', ...options }),
  Object: objectSchema,
  Optional: asOptional,
  Record: (_name: object, value: object, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Ref: (reference: string, options?: Options) => ({ $ref: reference, ...options }),
  String: (options?: Options) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly object[], options?: Options) => ({ anyOf, ...options }),
  Unknown: (options?: Options) => ({ ...options }),
  Unsafe: (schema: object) => schema,
}

/**
 * Builders of JSON schemas, with the signatures of Typebox. Only the types of that library are used: every command and
 * thread would spend 130 ms on its 679 modules. The keys of a record are any strings.
 */
export const Type = builders as unknown as Pick<typeof types, keyof typeof builders>

/** Returns the schema of a time in UTC, such as `2026-11-30T12:00:00.000Z`. */
export const dateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

/** Returns the schema of a count. */
export const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })
