import type { TSchema } from '../../kit/json-schema.ts'

/** A query string after percent-decoding: all values of each name, in order. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

const noValues: readonly string[] = []

/** Returns all values sent under a name. */
export function getValues(query: RawQuery, name: string): readonly string[] {
  const value = query[name]
  if (value === undefined) return noValues
  return typeof value === 'string' ? [value] : value
}

/** The reason why a parameter is invalid, and the invalid value, if any. */
export class InvalidParameter {
  readonly message: string
  readonly value: string | undefined
  constructor(message: string, value?: string) {
    this.message = message
    this.value = value
  }
}

/**
 * Definition of a query parameter. It validates requests and generates their documentation, so the two cannot diverge.
 */
export interface Param<T> {
  readonly schema: TSchema
  readonly description: string
  readonly aliases: readonly string[]
  readonly required: boolean
  /** True for a list that can only be sent as a repeated parameter, because its values may have commas. */
  readonly isRepeated?: boolean
  /** Parses all values sent under the name and its aliases; empty if the parameter was not sent. */
  read(values: readonly string[]): T | InvalidParameter
}

/** The parameters of an operation by their documented names. */
export type ParamSet = Readonly<Record<string, Param<unknown>>>

/** The parsed values of a parameter set. */
export type Values<S extends ParamSet> = { readonly [K in keyof S]: S[K] extends Param<infer T> ? T : never }

/** Description and alternative names of a parameter. */
export type ParamDocs = { readonly description: string; readonly aliases?: readonly string[] }

/** Creates a parameter that takes one value. Sending the same value twice is allowed. */
export function createSingle<T>(
  docs: ParamDocs,
  schema: TSchema,
  parse: (text: string) => T | InvalidParameter,
): Param<T | undefined> {
  return {
    schema,
    description: docs.description,
    aliases: docs.aliases ?? [],
    required: false,
    read: values => {
      const [first, ...others] = values
      if (first === undefined) return undefined
      const different = others.find(other => other !== first)
      return different === undefined
        ? parse(first)
        : new InvalidParameter('was given more than once, with different values', different)
    },
  }
}

/** Returns the parameter with a default value. */
export function withDefault<T>(param: Param<T | undefined>, value: T): Param<T> {
  return {
    ...param,
    schema: { ...param.schema, default: value } as TSchema,
    read: values => {
      const read = param.read(values)
      return read === undefined ? value : read
    },
  }
}

/** Returns the parameter as a required one. `expected` describes the value in the message about its absence. */
export function required<T>(param: Param<T | undefined>, expected?: string): Param<T> {
  return {
    ...param,
    required: true,
    read: values => {
      const read = param.read(values)
      return read === undefined
        ? new InvalidParameter(expected === undefined ? 'is required' : `is required: ${expected}`)
        : read
    },
  }
}

/**
 * Splits comma-separated lists. Ignores empty items at the end of a list: joining a list in a loop often leaves a
 * comma.
 */
export const splitLists = (values: readonly string[]): string[] =>
  values.flatMap(value => {
    const items = value.split(',')
    while (items.length > 1 && items.at(-1)!.trim() === '') items.pop()
    return items
  })
