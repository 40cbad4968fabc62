import { type Id, parseId } from '../domain/id.ts'
import type { Reason, Rejection } from './row.ts'

/** What normalising a row gathers beside its result. */
export interface Findings {
  /** The first thing that makes the row unusable. */
  rejection?: Rejection
  /** Things that were dropped or mapped by default, for the report to count. */
  readonly notes: string[]
}

type Source = Readonly<Record<string, unknown>>

const trueTexts = new Set(['true', 't', 'yes', 'y', '1'])
const falseTexts = new Set(['false', 'f', 'no', 'n', '0'])

/**
 * Reads the fields of one object. null, blank strings, empty arrays and empty objects are absence. A value of
 * the wrong type rejects the row; reading goes on, so that the caller needs no branches, and the first finding counts.
 */
export class FieldReader {
  readonly #source: Source
  readonly #path: string
  readonly #findings: Findings

  constructor(source: Source, findings: Findings, path = '') {
    this.#source = source
    this.#findings = findings
    this.#path = path
  }

  /** The raw value; undefined where it stands for absence. */
  raw(name: string): unknown {
    if (!Object.hasOwn(this.#source, name)) return undefined
    const value = this.#source[name]
    return isAbsence(value) ? undefined : value
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined
  }

  reject(name: string, reason: Reason, complaint: string): undefined {
    const field = this.#path + name
    this.#findings.rejection ??= { reason, field, detail: `${field} ${complaint}.` }
    return undefined
  }

  note(what: string): void {
    this.#findings.notes.push(what)
  }

  /** Text as it came; a number is taken by its digits. */
  text(name: string): string | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (typeof value === 'number' || typeof value === 'bigint') return String(value)
    if (typeof value !== 'string') return this.reject(name, 'invalid_value', `must be text, not ${kindOf(value)}`)
    return value.toWellFormed()
  }

  /** A finite number; numeric text counts. */
  number(name: string): number | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const number = typeof value === 'string' || typeof value === 'bigint' ? Number(value) : value
    if (typeof number !== 'number') return this.reject(name, 'invalid_value', `must be a number, not ${kindOf(value)}`)
    return Number.isFinite(number)
      ? number
      : this.reject(name, 'not_finite', `is not a finite number: ${String(value).slice(0, 40)}`)
  }

  /** A number within bounds; what is outside rejects with `reason`. */
  numberWithin(name: string, minimum: number, maximum: number, reason: Reason): number | undefined {
    const value = this.number(name)
    if (value === undefined || (value >= minimum && value <= maximum)) return value
    return this.reject(name, reason, `is ${value}; it must lie between ${minimum} and ${maximum}`)
  }

  /** A whole number from 0 up. */
  count(name: string): number | undefined {
    const value = this.number(name)
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
    return this.reject(name, 'invalid_value', 'must be a whole number from 0 up')
  }

  /** A number where there is one, else absence and a note: for fields that sources fill with words. */
  lenientNumber(name: string): number | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const number = isObject(value) || Array.isArray(value) ? Number.NaN : Number(value)
    if (Number.isFinite(number)) return number
    this.note(`${name}_not_a_number`)
    return undefined
  }

  /** Returns a truth value: a boolean, 1 or 0, or a text such as `true`, `yes`, `t` or `1`, in any case. */
  truth(name: string): boolean | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (typeof value === 'boolean') return value
    const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase()
    if (trueTexts.has(text)) return true
    if (falseTexts.has(text)) return false
    return this.reject(name, 'invalid_value', 'must be true or false, yes or no, or 1 or 0')
  }

  /** An int64 above zero, digit for digit. */
  id(name: string): Id | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const whole = typeof value === 'string' || typeof value === 'bigint' || Number.isSafeInteger(value)
    const id = whole ? parseId(String(value)) : undefined
    return id ?? this.reject(name, 'invalid_id', 'must be a whole number from 1 to 9223372036854775807')
  }

  /** A calendar date that exists; a date-time is cut to its date. */
  date(name: string): string | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const date = text.slice(0, 10)
    if (/^\d{4}-\d{2}-\d{2}([T ].*)?$/.test(text) && isRealDate(date)) return date
    return this.reject(name, 'invalid_date', `is not a date such as 2026-01-31: ${text.slice(0, 40)}`)
  }

  /** Milliseconds since 1970 of a date (its first moment, UTC) or a date-time. */
  instant(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    // `2026-01-31 12:00:00` and `…+00`, as databases write them; without a zone it is UTC, whatever the machine says.
    const [, date, time, zone] =
      /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i.exec(
        text.trim(),
      ) ?? []
    const ms =
      date !== undefined && isRealDate(date) ? Date.parse(`${date}T${time ?? '00:00'}${zoneOffset(zone)}`) : Number.NaN
    return Number.isNaN(ms)
      ? this.reject(
          name,
          'invalid_date',
          `is not a date or date-time such as 2026-01-31 or 2026-01-31T12:00:00Z: ${text.slice(0, 40)}`,
        )
      : ms
  }

  /** One of `values`, in any case. */
  choice<const T extends readonly string[]>(
    name: string,
    values: T,
    reason: Reason = 'invalid_value',
  ): T[number] | undefined {
    const text = this.text(name)?.trim().toUpperCase().replaceAll(' ', '_')
    if (text === undefined) return undefined
    return values.find(value => value === text) ?? this.reject(name, reason, `must be one of ${values.join(', ')}`)
  }

  /** A nested object. */
  object(name: string): FieldReader | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (!isObject(value)) return this.reject(name, 'invalid_value', `must be an object, not ${kindOf(value)}`)
    return new FieldReader(value, this.#findings, `${this.#path}${name}.`)
  }

  /** The members of a nested object of texts: {language: text}. */
  textMap(name: string): [key: string, text: string][] {
    const nested = this.object(name)
    const value = this.raw(name)
    if (!nested || !isObject(value)) return []
    return Object.keys(value).flatMap(key => {
      const text = nested.text(key)
      return text === undefined || isAbsence(key) ? [] : [[key, text] as [string, string]]
    })
  }

  /** An array of objects, each read by `read`; those that read to nothing are left out. */
  objects<T>(name: string, read: (item: FieldReader) => T | undefined): T[] | undefined {
    return this.#items(name, (value, at) => {
      if (!isObject(value)) return this.reject(at, 'invalid_value', `must be an object, not ${kindOf(value)}`)
      return read(new FieldReader(value, this.#findings, `${this.#path}${at}.`))
    })
  }

  /** An array of texts, or one text. */
  texts(name: string): string[] | undefined {
    const value = this.raw(name)
    if (!Array.isArray(value)) {
      const one = this.text(name)
      return one === undefined ? undefined : [one]
    }
    const source = { ...value } as Source
    const nested = new FieldReader(source, this.#findings, `${this.#path}${name}.`)
    return this.#items(name, (_value, at) => nested.text(at.slice(name.length + 1)))
  }

  #items<T>(name: string, read: (value: unknown, at: string) => T | undefined): T[] | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (!Array.isArray(value)) return this.reject(name, 'invalid_value', `must be a list, not ${kindOf(value)}`)
    const items = value.map((item, i) => read(item, `${name}.${i}`)).filter(item => item !== undefined)
    return items.length > 0 ? items : undefined
  }
}

const isObject = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isAbsence(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value !== 'object') return false
  if (value === null) return true
  for (const _ in value) return false
  return true
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`

/** `+02`, `+0200`, `+02:00` -> `+02:00`; none is UTC. */
function zoneOffset(zone: string | undefined): string {
  if (zone === undefined || /^z$/i.test(zone)) return 'Z'
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
}

function isRealDate(date: string): boolean {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

/** The object without members that are undefined; undefined when none is left. */
export function compact<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined
}
