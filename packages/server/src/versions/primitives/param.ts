import Type, { type TSchema } from 'typebox'
import type { FieldError } from '../../domain/fault.ts'
import { type Id, parseId } from '../../domain/id.ts'
import { type Locale, parseLocale } from '../../domain/locale.ts'

/** The query as it was sent: every occurrence of every name, decoded, in order. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** Why a value was not taken; `value` is the one to blame. */
export class InvalidParameter {
  readonly message: string
  readonly value: string | undefined
  constructor(message: string, value?: string) {
    this.message = message
    this.value = value
  }
}

/** One query parameter: how it is documented and how it is read. The two come from one definition and cannot drift. */
export interface Param<T> {
  readonly schema: TSchema
  readonly description: string
  readonly aliases: readonly string[]
  readonly required: boolean
  /** `values` holds every occurrence under the name and its aliases; it is empty when none was sent. */
  read(values: readonly string[]): T | InvalidParameter
}

type Described = { readonly description: string; readonly aliases?: readonly string[] }

function single<T>(
  described: Described,
  schema: TSchema,
  parse: (text: string) => T | InvalidParameter,
): Param<T | undefined> {
  return {
    schema,
    description: described.description,
    aliases: described.aliases ?? [],
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

/** The parameter with a value for when it is left out. */
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

/** The parameter, and a invalid for when it is left out. */
export function required<T>(param: Param<T | undefined>): Param<T> {
  return {
    ...param,
    required: true,
    read: values => {
      const read = param.read(values)
      return read === undefined ? new InvalidParameter('is required') : read
    },
  }
}

/** A whole number within bounds, both included. */
export function integer(options: Described & { minimum: number; maximum?: number }): Param<number | undefined> {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = options
  const bounds = options.maximum === undefined ? `from ${minimum} up` : `from ${minimum} to ${maximum}`
  const schema = Type.Integer({ minimum, ...(options.maximum !== undefined && { maximum }) })
  return single(options, schema, text => {
    const value = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum ? value : new InvalidParameter(`must be a whole number ${bounds}`, text)
  })
}

/** A finite number within bounds, both included. */
export function decimal(options: Described & { minimum: number; maximum: number }): Param<number | undefined> {
  const { minimum, maximum } = options
  return single(options, Type.Number({ minimum, maximum }), text => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum
      ? value
      : new InvalidParameter(`must be a number from ${minimum} to ${maximum}`, text)
  })
}

/** One word of a list, in any case. */
export function choice<const T extends readonly string[]>(values: T, options: Described): Param<T[number] | undefined> {
  return single(options, Type.Enum([...values], { type: 'string' }), text => chosen(values, text))
}

function chosen<const T extends readonly string[]>(values: T, text: string): T[number] | InvalidParameter {
  const found = values.find(value => value.toLowerCase() === text.trim().toLowerCase())
  return found ?? new InvalidParameter(`must be one of ${values.join(', ')}`, text)
}

/** A decimal int64 above zero. */
export function id(options: Described): Param<Id | undefined> {
  return single(options, Type.Integer({ format: 'int64', minimum: 1 }), readId)
}

const readId = (text: string): Id | InvalidParameter =>
  parseId(text.trim()) ?? new InvalidParameter('must be a whole number from 1 to 9223372036854775807', text)

/** Ids as a comma list, a repeated parameter or both; duplicates are dropped, at most `maximum` may stay. */
export function idList(options: Described & { maximum: number }): Param<readonly Id[]> {
  return {
    schema: Type.Array(Type.Integer({ format: 'int64', minimum: 1 }), { minItems: 1, maxItems: options.maximum }),
    description: options.description,
    aliases: options.aliases ?? [],
    required: true,
    read: values => {
      if (values.length === 0) return new InvalidParameter('is required: one or more ids, separated by commas')
      const ids = new Set<Id>()
      for (const part of values.flatMap(value => value.split(','))) {
        const read = readId(part)
        if (read instanceof InvalidParameter) return read
        ids.add(read)
      }
      return ids.size <= options.maximum
        ? [...ids]
        : new InvalidParameter(`holds ${ids.size} ids; at most ${options.maximum} are allowed`)
    },
  }
}

/** The same, where it may be left out. */
export function optionalIds(options: Described & { maximum: number }): Param<readonly Id[] | undefined> {
  const list = idList(options)
  return { ...list, required: false, read: values => (values.length === 0 ? undefined : list.read(values)) }
}

/** Locales in order of preference, repeated or as a comma list. */
export function locales(options: Described): Param<readonly Locale[]> {
  return {
    schema: Type.Array(Type.String()),
    description: options.description,
    aliases: options.aliases ?? [],
    required: false,
    read: values => {
      const parsed = new Set<Locale>()
      for (const part of values.flatMap(value => value.split(','))) {
        const locale = readLocale(part)
        if (locale instanceof InvalidParameter) return locale
        parsed.add(locale)
      }
      return parsed.size <= 20 ? [...parsed] : new InvalidParameter('holds more than 20 locales')
    },
  }
}

function readLocale(text: string): Locale | InvalidParameter {
  return (
    parseLocale(text.trim()) ?? new InvalidParameter('must be a language or locale such as en, en-GB or es_MX', text)
  )
}

/** A locale, or one of the `words`. */
export function localeOr<const T extends readonly string[]>(
  words: T,
  options: Described,
): Param<Locale | T[number] | undefined> {
  return single(
    options,
    Type.String(),
    text => words.find(word => word === text.trim().toLowerCase()) ?? readLocale(text),
  )
}

const instantPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i

/** A date (its first moment, UTC) or a date-time, as milliseconds since 1970. */
export function instant(options: Described): Param<number | undefined> {
  return single(options, Type.String({ format: 'date-time' }), text => {
    // A plus sign that was not percent-encoded arrives as a space.
    const tidy = text.trim().replace(' ', '+')
    const zoned = /T.*(Z|[+-]\d{2}:\d{2})$/i.test(tidy) || !/T/i.test(tidy) ? tidy : `${tidy}Z`
    const ms = instantPattern.test(tidy) && isRealDate(tidy.slice(0, 10)) ? Date.parse(zoned) : Number.NaN
    return Number.isNaN(ms)
      ? new InvalidParameter('must be a date or date-time such as 2026-01-31 or 2026-01-31T12:00:00Z', text)
      : ms
  })
}

/** Date.parse takes 31 February for 3 March; a date that does not exist is a mistake. */
function isRealDate(date: string): boolean {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

/** The parameters of an operation, by their documented names. */
export type ParamSet = Readonly<Record<string, Param<unknown>>>

/** What a set reads to. */
export type Values<S extends ParamSet> = { readonly [K in keyof S]: S[K] extends Param<infer T> ? T : never }

/** Reads every parameter; all that is wrong is reported at once. Names that the set does not know are ignored. */
export function readParams<S extends ParamSet>(
  set: S,
  query: RawQuery,
): { values: Values<S> } | { errors: FieldError[] } {
  const errors: FieldError[] = []
  const values: Record<string, unknown> = {}
  for (const name in set) {
    const param = set[name]!
    const read = param.read([name, ...param.aliases].flatMap(alias => occurrences(query, alias)))
    if (read instanceof InvalidParameter) errors.push(fieldError(name, read))
    else values[name] = read
  }
  return errors.length > 0 ? { errors } : { values: values as Values<S> }
}

/** Every value sent under a name. */
export function occurrences(query: RawQuery, name: string): readonly string[] {
  const value = query[name]
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

function fieldError(field: string, invalid: InvalidParameter): FieldError {
  return {
    field,
    message: `${field} ${invalid.message}.`,
    ...(invalid.value !== undefined && { rejectedValue: invalid.value.slice(0, 200) }),
  }
}

/** Text of 1 to `maximum` characters, not counting blanks around it, which are cut off unless `asSent`. */
export function text(options: Described & { maximum: number; asSent?: boolean }): Param<string | undefined> {
  const { maximum, asSent } = options
  return single(options, Type.String({ minLength: 1, maxLength: maximum }), sent => {
    const trimmed = sent.trim()
    if (trimmed === '') return new InvalidParameter('must not be empty', sent)
    const length = [...trimmed].length
    return length <= maximum
      ? asSent
        ? sent
        : trimmed
      : new InvalidParameter(`has ${length} characters; at most ${maximum} are allowed`, sent)
  })
}

/** Words of a list, repeated or as a comma list, in any case; empty when none was sent. */
export function choices<const T extends readonly string[]>(values: T, options: Described): Param<readonly T[number][]> {
  return {
    schema: Type.Array(Type.Enum([...values], { type: 'string' })),
    description: options.description,
    aliases: options.aliases ?? [],
    required: false,
    read: sent => {
      const read = new Set<T[number]>()
      for (const part of sent.flatMap(value => value.split(','))) {
        const one = chosen(values, part)
        if (one instanceof InvalidParameter) return one
        read.add(one)
      }
      return [...read]
    },
  }
}

/** `true` or `false`. */
export function flag(options: Described): Param<boolean | undefined> {
  return single(options, Type.Boolean(), sent => {
    const word = sent.trim().toLowerCase()
    return word === 'true' || word === 'false' ? word === 'true' : new InvalidParameter('must be true or false', sent)
  })
}

/** An ISO 3166-1 alpha-2 code, any case; read in upper case. */
export function countryCode(options: Described): Param<string | undefined> {
  return single(options, Type.String({ pattern: '^[A-Za-z]{2}$' }), sent => {
    const code = sent.trim().toUpperCase()
    return /^[A-Z]{2}$/.test(code) ? code : new InvalidParameter('must be a two-letter country code such as ES', sent)
  })
}
