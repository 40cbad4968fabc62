import {
  type TArray,
  type TNumberOptions,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from '../../kit/json-schema.ts'

/** Response schemas of a version, used to generate the OpenAPI document and, in tests, to validate responses. */
export interface VersionSchemas {
  /** Named schemas: `components/schemas` of the document. */
  readonly components: Readonly<Record<string, TSchema>>
  /** Body of a 200 response, by operation. */
  readonly responses: Readonly<Record<string, TSchema>>
}

/** Returns a reference to a named component. */
export const ref = (name: string) => Type.Ref(`#/components/schemas/${name}`)

/** Returns a reference to a named component, with a separate description. */
export const describedRef = (name: string, description: string) =>
  Type.Ref(`#/components/schemas/${name}`, { description })

export const optional = Type.Optional

/**
 * Returns the schema of an object. If every member is optional, the object must have at least one: empty objects are
 * omitted. Published schemas allow further members, which clients must ignore (SPEC §9.2); tests do not.
 */
export const object = (properties: TProperties, description?: string): TObject => {
  const schema = Type.Object(properties, { ...(description && { description }) })
  return schema.required?.length ? schema : ({ ...schema, minProperties: 1 } as TObject)
}

/** Returns the schema of an array that is never empty. */
export const listOf = (items: TSchema, description?: string): TArray =>
  Type.Array(items, { minItems: 1, ...(description && { description }) })

/** Returns the schema of the top-level `data` array: `[]` if nothing matched, the only exception to R-19. */
export const data = (items: TSchema) => Type.Array(items, { description: 'The results; empty if nothing matched.' })

/** Returns the schema of a string that is never empty. */
export const string = (description: string) => Type.String({ minLength: 1, description })

export const uri = (description: string) => Type.String({ format: 'uri', description })

export const date = (description: string) => Type.String({ format: 'date', description })

/** Returns the schema of an id: a positive 64-bit integer. */
export const int64Id = (description: string) => Type.Integer({ format: 'int64', minimum: 1, description })

export const number = (description: string, bounds: TNumberOptions = {}) => Type.Number({ ...bounds, description })

/** Returns the schema of an average rating or a subrating. */
export const rating = (description: string) => number(description, { minimum: 0, maximum: 5 })

/** Returns the schema of the rating of one review. */
export const reviewRating = (description: string) => number(description, { minimum: 1, maximum: 5 })

export const boolean = (description: string) => Type.Boolean({ description })

export const oneOf = (values: readonly string[], description: string) =>
  Type.Enum([...values], { type: 'string', description })
