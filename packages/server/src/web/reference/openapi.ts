/** The parts of an OpenAPI 3.1 document of this service that its pages show. */

/** A schema, as far as the documents of this service use JSON Schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly (string | number)[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly 'x-aliases'?: readonly string[]
  readonly schema: Schema
  readonly example?: unknown
}

interface Reference {
  readonly $ref: string
}

interface Body {
  readonly schema?: Schema
  readonly example?: unknown
}

/** An operation of a document. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly deprecated?: boolean
  readonly parameters: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Body>> }>>
}

/** The operations of a path. */
export interface PathItem {
  readonly get: OpenApiOperation
  readonly post?: OpenApiOperation
}

/** A response header. */
export interface Header {
  readonly description: string
  readonly example: string
}

/** A document as `/openapi/{name}.json` serves it. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly headers: Readonly<Record<string, Header>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

/** The named schemas of a document. */
export type Schemas = Readonly<Record<string, Schema>>

/** Returns the name of the component that a schema refers to. */
export const nameOfRef = ({ $ref }: Schema): string | undefined => $ref?.slice($ref.lastIndexOf('/') + 1)

/** Returns the schema itself or the one that it refers to, with its own description first. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = nameOfRef(schema)
  if (name === undefined) return schema
  const { $ref: _, ...own } = schema
  return { ...schemas[name], ...own }
}
