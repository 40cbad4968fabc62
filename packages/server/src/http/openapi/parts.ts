/** Parts that the OpenAPI documents of partner interface and feeds share. */
import type { Param, ParamSet } from '../../versions/primitives/param.ts'
import { strictParam } from '../../versions/primitives/read-params.ts'

type Examples = Readonly<Record<string, unknown>>

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

/** Returns the objects of the query parameters, from the definitions that validate requests. */
export const toQueryParameters = (set: ParamSet, examples: Examples = {}) =>
  Object.entries(set).map(([name, { description, aliases, required, schema }]) => ({
    name,
    in: 'query',
    required,
    description: aliases.length === 0 ? description : `${description} Also called ${aliases.join(', ')}.`,
    ...(aliases.length > 0 && { 'x-aliases': aliases }),
    // A list may also be sent as a repeated parameter.
    ...('items' in schema && { style: 'form', explode: false }),
    schema,
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

/** Returns references to parameters among the components. */
export const toParameterRefs = (...names: readonly string[]) =>
  names.map(name => ({ $ref: `#/components/parameters/${name}` }))

/** Security schemes: the ways to send an API key. */
export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key. Takes precedence over a bearer token (R-01).',
  },
  Bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
}

/** Licence of the documents. */
export const license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' }
