import Type, { type TSchema } from 'typebox'
import { type Id, parseId } from '../../domain/id.ts'
import { type Locale, localePattern, parseRequestedLocale } from '../../domain/locale.ts'
import { parseInstant } from '../../kit/time.ts'

/** A query string after percent-decoding: all values of each name, in order. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** The reason why a parameter is invalid, and the invalid value, if any. */
export class InvalidParameter {
  readonly message: string
  readonly value: string | undefined
  constructor(message: string, value?: string) {
    this.message = message
    this.value = value
  }
}

/** Definition of a query parameter. It validates requests and generates their documentation, so the two cannot diverge. */
export interface Param<T> {
  readonly schema: TSchema
  readonly description: string
  readonly aliases: readonly string[]
  readonly required: boolean
  /** Parses all values sent under the name and its aliases; empty if the parameter was not sent. */
  read(values: readonly string[]): T | InvalidParameter
}

/** Description and alternative names of a parameter. */
type ParamDocs = { readonly description: string; readonly aliases?: readonly string[] }

/** Creates a parameter that takes one value. Sending the same value twice is allowed. */
function createSingle<T>(
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

/** Creates a parameter for an integer between `minimum` and `maximum`, both inclusive. */
export function integer(options: ParamDocs & { minimum: number; maximum?: number }): Param<number | undefined> {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = options
  const bounds = options.maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
  const schema = Type.Integer({ minimum, maximum })
  return createSingle(options, schema, text => {
    const value = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum ? value : new InvalidParameter(`must be an integer ${bounds}`, text)
  })
}

const decimalPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * Creates a parameter for a decimal number between `minimum` and `maximum`, both inclusive. An exponent is allowed, because
 * many languages format small numbers with one: Python prints -0.00005 as `-5e-05`. With `isPositive`, documents only
 * numbers greater than 0; the reader of the operation refuses 0 with a message of its own.
 */
export function decimal(
  options: ParamDocs & { minimum: number; maximum: number; isPositive?: true },
): Param<number | undefined> {
  const { minimum, maximum, isPositive } = options
  const schema = Type.Number({ ...(isPositive ? { exclusiveMinimum: 0 } : { minimum }), maximum })
  return createSingle(options, schema, text => {
    // A plus sign that is not percent-encoded decodes to a space.
    const restored = text.replace(/(^|e) (?=[\d.])/i, '$1+')
    const value = decimalPattern.test(restored) ? Number(restored) : Number.NaN
    return value >= minimum && value <= maximum
      ? value
      : new InvalidParameter(`must be a number from ${minimum} to ${maximum}`, text)
  })
}

/**
 * Creates a parameter for one of the given values; case is ignored. Each of `synonyms` represents one of the values; the schema
 * leaves them out, and the description names them.
 */
export function choice<const T extends readonly string[]>(
  values: T,
  options: ParamDocs & { synonyms?: Readonly<Record<string, T[number]>> },
): Param<T[number] | undefined> {
  const { synonyms = {} } = options
  return createSingle(options, Type.Enum([...values], { type: 'string' }), text => {
    const synonym = Object.keys(synonyms).find(name => name.toLowerCase() === text.trim().toLowerCase())
    return synonym === undefined ? parseChoice(values, text) : synonyms[synonym]!
  })
}

function parseChoice<const T extends readonly string[]>(values: T, text: string): T[number] | InvalidParameter {
  const found = values.find(value => value.toLowerCase() === text.trim().toLowerCase())
  return found ?? new InvalidParameter(`must be one of ${values.join(', ')}`, text)
}

/** Creates a parameter for an id: a positive 64-bit integer. */
export function id(options: ParamDocs): Param<Id | undefined> {
  return createSingle(options, Type.Integer({ format: 'int64', minimum: 1 }), parseIdParam)
}

/** Splits comma-separated lists. Ignores empty items at the end of a list: joining a list in a loop often leaves a comma. */
const splitLists = (values: readonly string[]): string[] =>
  values.flatMap(value => {
    const items = value.split(',')
    while (items.length > 1 && items.at(-1)!.trim() === '') items.pop()
    return items
  })

const parseIdParam = (text: string): Id | InvalidParameter =>
  parseId(text.trim()) ?? new InvalidParameter('must be an integer from 1 to 9223372036854775807', text)

/**
 * Creates a parameter for ids, as a comma-separated list, a repeated parameter or both. Duplicates are dropped; at most
 * `maximum` ids may remain.
 */
export function idList(options: ParamDocs & { maximum: number }): Param<readonly Id[]> {
  return {
    schema: Type.Array(Type.Integer({ format: 'int64', minimum: 1 }), { minItems: 1, maxItems: options.maximum }),
    description: options.description,
    aliases: options.aliases ?? [],
    required: true,
    read: values => {
      if (values.length === 0) return new InvalidParameter('is required: one or more ids separated by commas')
      const ids = new Set<Id>()
      for (const part of splitLists(values)) {
        const read = parseIdParam(part)
        if (read instanceof InvalidParameter) return read
        ids.add(read)
      }
      return ids.size <= options.maximum
        ? [...ids]
        : new InvalidParameter(`contains ${ids.size} ids; at most ${options.maximum} are allowed`)
    },
  }
}

/** Creates an optional parameter for ids, by default an empty list; see `idList`. */
export function optionalIds(options: ParamDocs & { maximum: number }): Param<readonly Id[]> {
  const list = idList(options)
  return { ...list, required: false, read: values => (values.length === 0 ? [] : list.read(values)) }
}

/** Maximum length of a locale (RFC 5646 §4.4.1); each subtag of a longer one would cost time in every choice of a text. */
const maxLocaleLength = 35

/** Maximum number of different locales. */
const maxLocales = 20

/** Creates a parameter for locales in order of preference, repeated or as a comma-separated list. */
export function locales(options: ParamDocs): Param<readonly Locale[]> {
  return {
    schema: Type.Array(Type.String({ pattern: `^${localePattern}$`, maxLength: maxLocaleLength }), {
      minItems: 1,
      maxItems: maxLocales,
    }),
    description: options.description,
    aliases: options.aliases ?? [],
    required: false,
    read: values => {
      const parsed = new Set<Locale>()
      for (const part of splitLists(values)) {
        const locale = parseLocaleParam(part)
        if (locale instanceof InvalidParameter) return locale
        parsed.add(locale)
      }
      return parsed.size <= maxLocales
        ? [...parsed]
        : new InvalidParameter(`contains more than ${maxLocales} locales; at most ${maxLocales} are allowed`)
    },
  }
}

function parseLocaleParam(text: string): Locale | InvalidParameter {
  const locale = text.trim().length > maxLocaleLength ? undefined : parseRequestedLocale(text.trim())
  return locale ?? new InvalidParameter('must be a language or locale such as en, en-GB or es_MX', text)
}

/** Creates a parameter for a locale or one of the given keywords. */
export function localeOr<const T extends readonly string[]>(
  keywords: T,
  options: ParamDocs,
): Param<Locale | T[number] | undefined> {
  return createSingle(
    options,
    Type.String({
      pattern: `^(?:${[...keywords.map(anyCase), localePattern].join('|')})$`,
      maxLength: maxLocaleLength,
    }),
    text => keywords.find(keyword => keyword === text.trim().toLowerCase()) ?? parseLocaleParam(text),
  )
}

/** Returns a pattern that matches a word in any case. */
const anyCase = (word: string): string =>
  [...word].map(letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')

const instantPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i

const instantSchema = Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })])

/** Creates a parameter for a date (midnight UTC) or a date-time, read as milliseconds since 1970. */
export function instant(options: ParamDocs): Param<number | undefined> {
  return createSingle(options, instantSchema, text => {
    // A plus sign that is not percent-encoded decodes to a space.
    const restored = text.trim().replace(' ', '+')
    const ms = instantPattern.test(restored) ? parseInstant(restored) : undefined
    return ms ?? new InvalidParameter('must be a date or date-time such as 2026-01-31 or 2026-01-31T12:00:00Z', text)
  })
}

/** The parameters of an operation by their documented names. */
export type ParamSet = Readonly<Record<string, Param<unknown>>>

/** The parsed values of a parameter set. */
export type Values<S extends ParamSet> = { readonly [K in keyof S]: S[K] extends Param<infer T> ? T : never }

/** Returns all values sent under a name. */
export function getValues(query: RawQuery, name: string): readonly string[] {
  const value = query[name]
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

/** Creates a parameter for text of 1 to `maximum` characters. Removes surrounding whitespace unless `verbatim` is true. */
export function text(options: ParamDocs & { maximum: number; verbatim?: boolean }): Param<string | undefined> {
  const { maximum, verbatim } = options
  return createSingle(options, Type.String({ minLength: 1, maxLength: maximum, pattern: '\\S' }), sent => {
    const trimmed = sent.trim()
    if (trimmed === '') return new InvalidParameter('must not be empty', sent)
    const length = [...trimmed].length
    return length <= maximum
      ? verbatim
        ? sent
        : trimmed
      : new InvalidParameter(`has ${length} characters; at most ${maximum} are allowed`, sent)
  })
}

/** Creates a parameter for any number of the given values, repeated or as a comma-separated list; case is ignored. */
export function choices<const T extends readonly string[]>(values: T, options: ParamDocs): Param<readonly T[number][]> {
  return {
    schema: Type.Array(Type.Enum([...values], { type: 'string' }), { minItems: 1 }),
    description: options.description,
    aliases: options.aliases ?? [],
    required: false,
    read: sent => {
      const read = new Set<T[number]>()
      for (const part of splitLists(sent)) {
        const choice = parseChoice(values, part)
        if (choice instanceof InvalidParameter) return choice
        read.add(choice)
      }
      return [...read]
    },
  }
}

/** Creates a parameter for `true` or `false`; case is ignored. */
export function flag(options: ParamDocs): Param<boolean | undefined> {
  return createSingle(options, Type.Boolean(), sent => {
    const word = sent.trim().toLowerCase()
    return word === 'true' || word === 'false' ? word === 'true' : new InvalidParameter('must be true or false', sent)
  })
}

/** Creates a parameter for an ISO 3166-1 alpha-2 country code, read in upper case; case is ignored. */
export function countryCode(options: ParamDocs): Param<string | undefined> {
  return createSingle(options, Type.String({ pattern: '^[A-Za-z]{2}$' }), sent => {
    const code = sent.trim().toUpperCase()
    return /^[A-Z]{2}$/.test(code) ? code : new InvalidParameter('must be a two-letter country code such as ES', sent)
  })
}
