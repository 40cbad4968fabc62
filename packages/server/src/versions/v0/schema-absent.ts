import { type TSchema, Type } from '../../kit/json-schema.ts'

/** Returns a schema that also allows null, which v0 sends for absent scalars (SPEC §9.5, last row). */
export const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])

/** Returns the schema of an array that may be empty: v0 sends `[]` for absent lists. */
export const list = (items: TSchema, description: string) => Type.Array(items, { description })

/** Returns a schema that also allows `{}`, which v0 sends for absent objects. */
export const orEmpty = (schema: TSchema) => Type.Union([schema, Type.Object({}, { maxProperties: 0 })])
