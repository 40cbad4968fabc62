import { type Id, parseId } from '../domain/id.ts'
import type { Rejection, RejectionReason, UnknownKind } from '../domain/import.ts'
import { isCalendarDate, parseInstant } from '../kit/time.ts'

/** Problems found while a row is normalised. */
export interface Findings {
  /** The first problem that rejects the row. */
  rejection?: Rejection
  /** Codes of values that were dropped or replaced by a default, counted in the report. */
  readonly notes: string[]
  /** Called with each value that is in none of the tables. */
  readonly onUnknown?: ((kind: UnknownKind, value: string) => void) | undefined
}

type Source = Readonly<Record<string, unknown>>

const trueTexts = new Set(['true', 't', 'yes', 'y', '1'])
const falseTexts = new Set(['false', 'f', 'no', 'n', '0'])

/**
 * Reads the fields of one object. null, blank strings, empty arrays and empty objects count as missing. A value
 * of the wrong type rejects the row and is read as undefined, so that callers need no branches. Only the first
 * rejection is kept.
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

  /** Returns the raw value; undefined if it counts as missing. */
  raw(name: string): unknown {
    if (!Object.hasOwn(this.#source, name)) return undefined
    const value = this.#source[name]
    return isMissing(value) ? undefined : value
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined
  }

  /** Rejects the row with the message `<field> <predicate>.` */
  reject(name: string, reason: RejectionReason, predicate: string): undefined {
    const field = this.#path + name
    this.#findings.rejection ??= { reason, field, detail: `${field} ${predicate}.` }
    return undefined
  }

  note(code: string): void {
    this.#findings.notes.push(code)
  }

  /** Notes a value that is in no table, such as `unknown_category`, and reports it. */
  unknown(kind: UnknownKind, value: string): undefined {
    this.#findings.notes.push(`unknown_${kind}`)
    this.#findings.onUnknown?.(kind, value)
    return undefined
  }

  /** Returns a string; numbers are converted to strings, and lone surrogates are replaced. */
  text(name: string): string | undefined {
    const value = this.raw(name)
    return value === undefined ? undefined : this.#toText(value, name)
  }

  #toText(value: unknown, name: string): string | undefined {
    if (typeof value === 'number' || typeof value === 'bigint') return String(value)
    if (typeof value !== 'string') return this.reject(name, 'invalid_value', `must be text, not ${kindOf(value)}`)
    return value.toWellFormed()
  }

  /** Returns a finite number; numeric strings are converted. */
  number(name: string): number | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const number = typeof value === 'string' || typeof value === 'bigint' ? Number(value) : value
    if (typeof number !== 'number') return this.reject(name, 'invalid_value', `must be a number, not ${kindOf(value)}`)
    return Number.isFinite(number)
      ? number
      : this.reject(name, 'not_finite', `is not a finite number: ${String(value).slice(0, 40)}`)
  }

  /** Returns a number from `minimum` to `maximum`; other numbers reject the row with `reason`. */
  numberWithin(name: string, minimum: number, maximum: number, reason: RejectionReason): number | undefined {
    const value = this.number(name)
    if (value === undefined || (value >= minimum && value <= maximum)) return value
    return this.reject(name, reason, `is ${value}, but must be between ${minimum} and ${maximum}`)
  }

  /** Returns an integer of 0 or more. */
  count(name: string): number | undefined {
    const value = this.number(name)
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
    return this.reject(name, 'invalid_value', 'must be an integer of 0 or more')
  }

  /** Returns a number; other values are dropped with a note, because some sources write words in these fields. */
  lenientNumber(name: string): number | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const number = isObject(value) || Array.isArray(value) ? Number.NaN : Number(value)
    if (Number.isFinite(number)) return number
    this.note(`${name}_not_a_number`)
    return undefined
  }

  /** Returns a boolean; also accepts 1, 0 and strings such as `true`, `yes`, `t` or `1`, ignoring case. */
  boolean(name: string): boolean | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (typeof value === 'boolean') return value
    const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase()
    if (trueTexts.has(text)) return true
    if (falseTexts.has(text)) return false
    return this.reject(name, 'invalid_value', 'must be true or false, yes or no, or 1 or 0')
  }

  /** Returns a positive int64 without loss of precision. */
  id(name: string): Id | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const isExact = typeof value === 'string' || typeof value === 'bigint' || Number.isSafeInteger(value)
    const id = isExact ? parseId(String(value)) : undefined
    const hint = name === 'id' ? '; send ids that the source assigned as source_id' : ''
    return id ?? this.reject(name, 'invalid_id', `must be an integer from 1 to 9223372036854775807${hint}`)
  }

  /** Returns a valid calendar date; a date-time is truncated to its date. */
  date(name: string): string | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const date = text.slice(0, 10)
    if (/^([T ].*)?$/.test(text.slice(10)) && isCalendarDate(date)) return date
    return this.reject(name, 'invalid_date', `is not a valid date such as 2026-01-31: ${text.slice(0, 40)}`)
  }

  /** Returns the milliseconds since 1970 of a date (at midnight UTC) or a date-time; without an offset, UTC. */
  instant(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const predicate = 'is not a valid date or date-time such as 2026-01-31 or 2026-01-31T12:00:00Z'
    return parseInstant(text.trim()) ?? this.reject(name, 'invalid_date', `${predicate}: ${text.slice(0, 40)}`)
  }

  /** Returns one of `values`, ignoring case. */
  choice<const T extends readonly string[]>(
    name: string,
    values: T,
    reason: RejectionReason = 'invalid_value',
  ): T[number] | undefined {
    const text = this.text(name)?.trim().toUpperCase().replaceAll(' ', '_')
    if (text === undefined) return undefined
    return values.find(value => value === text) ?? this.reject(name, reason, `must be one of ${values.join(', ')}`)
  }

  /** Returns a reader of a nested object. */
  object(name: string): FieldReader | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (!isObject(value)) return this.reject(name, 'invalid_value', `must be an object, not ${kindOf(value)}`)
    return new FieldReader(value, this.#findings, `${this.#path}${name}.`)
  }

  /** Returns the members of a nested object of strings: {language: text}. */
  textMap(name: string): [key: string, text: string][] {
    const nested = this.object(name)
    const value = this.raw(name)
    if (!nested || !isObject(value)) return []
    return Object.keys(value).flatMap(key => {
      const text = nested.text(key)
      return text === undefined || isMissing(key) ? [] : [[key, text] as [string, string]]
    })
  }

  /**
   * Returns the results of `read` for a list of objects, without undefined results. With `textMember`, a text is read as
   * an object with this member, and one in place of the list as its only item.
   */
  objects<T>(name: string, read: (item: FieldReader) => T | undefined, textMember?: string): T[] | undefined {
    return this.#items(name, textMember !== undefined, (item, at) => {
      const value = textMember !== undefined && typeof item === 'string' ? { [textMember]: item } : item
      if (!isObject(value)) return this.reject(at, 'invalid_value', `must be an object, not ${kindOf(value)}`)
      return read(new FieldReader(value, this.#findings, `${this.#path}${at}.`))
    })
  }

  /** Returns a list of strings; a single string is read as a list of one. */
  texts(name: string): string[] | undefined {
    const value = this.raw(name)
    if (!Array.isArray(value)) {
      const single = this.text(name)
      return single === undefined ? undefined : [single]
    }
    return this.#items(name, false, (item, at) => (isMissing(item) ? undefined : this.#toText(item, at)))
  }

  #items<T>(name: string, isText: boolean, read: (value: unknown, at: string) => T | undefined): T[] | undefined {
    const raw = this.raw(name)
    if (raw === undefined) return undefined
    const value = isText && typeof raw === 'string' ? [raw] : raw
    if (!Array.isArray(value)) return this.reject(name, 'invalid_value', `must be a list, not ${kindOf(value)}`)
    const items = value.map((item, i) => read(item, `${name}.${i}`)).filter(item => item !== undefined)
    return items.length > 0 ? items : undefined
  }
}

const isObject = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isMissing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value !== 'object') return false
  if (value === null) return true
  for (const _ in value) return false
  return true
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`

/** Returns the object without undefined members; undefined if no member remains. */
export function compact<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T | undefined {
  // A loop: `Object.fromEntries` takes a tenth of the CPU time of an import.
  let present: Partial<T> | undefined
  for (const name in members) {
    const value = members[name]
    if (value === undefined) continue
    present ??= {}
    present[name] = value
  }
  return present as T | undefined
}
