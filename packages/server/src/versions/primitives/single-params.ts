import type { ChangesStart } from '../../domain/place-change.ts'
import { Type } from '../../kit/json-schema.ts'
import { parseInstant, parseWallClock, type WallClock } from '../../kit/time.ts'
import { createSingle, InvalidParameter, type Param, type ParamDocs } from './param.ts'

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
 * Creates a parameter for a decimal number between `minimum` and `maximum`, both inclusive. An exponent is allowed,
 * because many languages format small numbers with one: Python prints -0.00005 as `-5e-05`. With `isPositive`,
 * documents only numbers greater than 0; the reader of the operation refuses 0 with a message of its own.
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
 * Creates a parameter for text of 1 to `maximum` characters. Removes surrounding whitespace unless `verbatim` is true.
 */
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

/** Creates a parameter for `true` or `false`; case is ignored. */
export function booleanParam(options: ParamDocs): Param<boolean | undefined> {
  return createSingle(options, Type.Boolean(), sent => {
    const word = sent.trim().toLowerCase()
    return word === 'true' || word === 'false' ? word === 'true' : new InvalidParameter('must be true or false', sent)
  })
}

/** Creates a parameter for `true` or `false` that means `true` without a value. */
export function flagParam(options: ParamDocs): Param<boolean | undefined> {
  const { read, ...param } = booleanParam(options)
  return { ...param, read: values => read(values.map(sent => (sent === '' ? 'true' : sent))) }
}

/** Creates a parameter for an ISO 3166-1 alpha-2 country code, read in upper case; case is ignored. */
export function countryCode(options: ParamDocs): Param<string | undefined> {
  return createSingle(options, Type.String({ pattern: '^[A-Za-z]{2}$' }), sent => {
    const code = sent.trim().toUpperCase()
    return /^[A-Z]{2}$/.test(code) ? code : new InvalidParameter('must be a two-letter country code such as ES', sent)
  })
}

/** Creates a parameter for the name of a session of search-as-you-type. */
export function sessionName(options: ParamDocs): Param<string | undefined> {
  return createSingle(options, Type.String({ pattern: '^[A-Za-z0-9_-]{16,64}$' }), sent =>
    /^[A-Za-z0-9_-]{16,64}$/.test(sent)
      ? sent
      : new InvalidParameter('must be 16 to 64 letters, digits, - or _, chosen at random', sent),
  )
}

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

const cursorPattern = /^c(\d{1,15})$/

/** Formats the number of a change as a cursor, which `timeOrCursor` reads. */
export const formatCursor = (seq: number): string => `c${seq}`

/** Creates a parameter for the start of a list of changes: a date, a date-time, or the cursor of an earlier answer. */
export function timeOrCursor(options: ParamDocs): Param<ChangesStart | undefined> {
  const schema = Type.Union([instantSchema, Type.String({ pattern: cursorPattern.source })])
  const { read } = instant(options)
  return createSingle<ChangesStart>(options, schema, text => {
    const cursor = cursorPattern.exec(text.trim())
    if (cursor) return { seq: Number(cursor[1]) }
    const ms = read([text])
    if (typeof ms === 'number') return { ms }
    return new InvalidParameter('must be a date, a date-time such as 2026-01-31T12:00:00Z, or a cursor', text)
  })
}

const momentPattern = /T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** A time: a moment, or what clocks show at each place. */
export type TimeOrClock = { readonly ms: number } | { readonly clock: WallClock }

/**
 * Creates a parameter for a date-time: with an offset, a moment; without one, the time that clocks show at each place.
 */
export function timeOrClock(options: ParamDocs): Param<TimeOrClock | undefined> {
  const local = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?$'
  const schema = Type.Union([Type.String({ format: 'date-time' }), Type.String({ pattern: local })])
  return createSingle(options, schema, text => {
    // A plus sign that is not percent-encoded decodes to a space.
    const restored = text.trim().toUpperCase().replace(' ', '+')
    const clock = parseWallClock(restored)
    if (clock) return { clock }
    const ms = momentPattern.test(restored) ? parseInstant(restored) : undefined
    if (ms !== undefined) return { ms }
    const message =
      'must be a date-time such as 2026-01-31T20:00, in the time of each place, or 2026-01-31T20:00:00+01:00'
    return new InvalidParameter(message, text)
  })
}
