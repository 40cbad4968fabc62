/** Parts that the OpenAPI documents of versions and feeds share. */
import { type TSchema, Type } from '../../kit/json-schema.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { Param, ParamSet } from '../../versions/primitives/param.ts'
import { prettyParam, strictParam } from '../../versions/primitives/read-params.ts'

type Examples = Readonly<Record<string, unknown>>
type Components = Readonly<Record<string, TSchema>>

/** Settings that appear in documents. */
export interface DocumentSettings {
  /** Public URL of the service, without a trailing slash. */
  readonly publicUrl: string
  /** Contact and terms as the operator sets them. */
  readonly docs: {
    /** Name of the service; replaces the name of the software in titles. */
    readonly name?: string
    readonly contact: { readonly name?: string; readonly email?: string; readonly url?: string }
    /** URL of the terms of service. */
    readonly terms?: string
  }
}

/** Returns the `info` of a document; contact and terms are left out unless they are set. */
export const createInfo = (
  { title, version, description }: { title: string; version: string; description: string },
  { docs: { name, contact, terms } }: DocumentSettings,
) => ({
  title: name === undefined ? title : title.replace(/^Periplus\b/, name),
  version,
  description,
  ...(terms !== undefined && { termsOfService: terms }),
  ...(Object.keys(contact).length > 0 && { contact }),
  license,
})

/** Converts the path of a route to the form of OpenAPI: `/locations/:id` gives `/locations/{id}`. */
export const toOpenApiPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** Returns the object of a path parameter. */
export const toPathParameter = (name: string, param: Param<unknown>, examples: Examples = {}) => ({
  name,
  in: 'path',
  required: true,
  description: param.description,
  schema: param.schema,
  example: examples[name],
})

/**
 * Returns the objects of the query parameters, from the definitions that validate requests. Their enumerations are
 * references to `components`, which must have been extended by `nameEnumerations`.
 */
export const toQueryParameters = (set: ParamSet, components: Components, examples: Examples = {}) =>
  Object.entries(set).map(([name, { description, aliases, required, isRepeated, schema }]) => ({
    name,
    in: 'query',
    required,
    description: aliases.length === 0 ? description : `${description} Also called ${aliases.join(', ')}.`,
    ...(aliases.length > 0 && { 'x-aliases': aliases }),
    // A list may also be sent as a repeated parameter.
    ...('items' in schema && { style: 'form', explode: isRepeated === true }),
    schema:
      'items' in schema
        ? { ...schema, items: toReference(schema.items as TSchema, components) }
        : toReference(schema, components),
    example: examples[name],
  }))

/** The parameter that turns unknown parameters into errors, for every operation. */
export const strictParameter = {
  name: 'strict',
  in: 'query',
  required: false,
  description: strictParam.description,
  schema: strictParam.schema,
}

/** The parameter that indents answers, for every operation. */
export const prettyParameter = {
  name: 'pretty',
  in: 'query',
  required: false,
  description: prettyParam.description,
  allowEmptyValue: true,
  schema: prettyParam.schema,
}

/** Returns references to parameters among the components. */
export const toParameterRefs = (...names: readonly string[]) =>
  names.map(name => ({ $ref: `#/components/parameters/${name}` }))

/** Returns the components extended by the enumerations of parameters that they lack, named after the parameter. */
export function nameEnumerations(sets: readonly ParamSet[], components: Components): Components {
  const named: Record<string, TSchema> = { ...components }
  for (const [parameter, { schema, description }] of sets.flatMap(set => Object.entries(set))) {
    const values = getValues('items' in schema ? (schema.items as TSchema) : schema)
    if (values === undefined || findEnumeration(values, named) !== undefined) continue
    const name = parameter.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
    if (named[name]) throw new Error(`The parameter ${parameter} needs another name for its enumeration than ${name}.`)
    named[name] = Type.Enum([...values], { type: 'string', description })
  }
  return named
}

function toReference(schema: TSchema, components: Components): object {
  const values = getValues(schema)
  if (values === undefined) return schema
  const { enum: _, type: _type, ...rest } = schema as { readonly enum?: unknown; readonly type?: unknown }
  return { $ref: `#/components/schemas/${findEnumeration(values, components)}`, ...rest }
}

const getValues = (schema: TSchema): readonly string[] | undefined => (schema as { enum?: readonly string[] }).enum

const findEnumeration = (values: readonly string[], components: Components): string | undefined =>
  Object.keys(components).find(name => JSON.stringify(getValues(components[name]!)) === JSON.stringify(values))

/** Security schemes: the ways to send an API key. */
export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key. Takes precedence over a bearer token.',
  },
  Bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
}

/** Licence of the documents. */
export const license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' }

/** Returns a document as plain JSON: without undefined members, and with ids as numbers. */
export const toJsonDocument = (document: object): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? toLongJson(value) : value)))
