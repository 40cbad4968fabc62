import type { Param, ParamSet } from '../../versions/primitives/param.ts'

type Examples = Readonly<Record<string, unknown>>

/** A part of the path. */
export const pathParameter = (name: string, param: Param<unknown>, examples: Examples = {}) => ({
  name,
  in: 'path',
  required: true,
  description: param.description,
  schema: param.schema,
  example: examples[name],
})

/** The parameters of a query, as requests are checked against them. */
export const queryParameters = (set: ParamSet, examples: Examples = {}) =>
  Object.entries(set).map(([name, { description, aliases, required, schema }]) => ({
    name,
    in: 'query',
    required,
    description: aliases.length === 0 ? description : `${description} Also called ${aliases.join(', ')}.`,
    ...(aliases.length > 0 && { 'x-aliases': aliases }),
    // Lists may also be repeated.
    ...('items' in schema && { style: 'form', explode: false }),
    schema,
    example: examples[name],
  }))
