import { type BoundedField, textBounds } from '../domain/text-bounds.ts'
import { type Static, type TProperties, type TSchema, Type } from '../kit/json-schema.ts'

/** Returns the schema of an object that has exactly these members. */
export const closedObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** A text that people enter, with its maximum length. */
export const enteredText = (field: BoundedField, description?: string) =>
  Type.String({ maxLength: textBounds[field].max, ...(description !== undefined && { description }) })

/** A 64-bit id. The CLI prints its digits as a number; the admin API sends `idText`. */
export const idNumber = () => Type.Unsafe<unknown>({ type: 'integer', minimum: 1 })

/** A 64-bit id in the admin API: its decimal digits as a string. */
export const idText = () => Type.String({ pattern: '^[1-9]\\d{0,18}$', examples: ['9007199254740993'] })

/** Formats milliseconds since 1970. */
export const formatDateTime = (ms: number): string => new Date(ms).toISOString()

/** The JSON value of a schema. */
export type Resource<S extends TSchema> = Static<S>
