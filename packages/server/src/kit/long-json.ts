import { checkDepth } from './bounded-json.ts'

/**
 * 64-bit integers in JSON without rounding. A double is exact up to 2^53. `JSON.rawJSON` writes larger integers,
 * and the reviver's `source` (ECMA-262 JSON.parse source text access) reads them.
 */
declare global {
  interface JSON {
    rawJSON(text: string): RawJson
  }
}

/** JSON text that `JSON.stringify` copies unchanged. */
export interface RawJson {
  readonly rawJSON: string
}

/** Returns a value that `JSON.stringify` writes as the decimal digits of `value`. */
export function toLongJson(value: bigint): number | RawJson {
  return value <= 9007199254740991n && value >= -9007199254740991n ? Number(value) : JSON.rawJSON(value.toString())
}

/** Serializes a value like JSON.stringify, and writes bigints as integers. */
export const stringifyLongJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? toLongJson(item) : item))

const longDigits = /\d{16}/
const integerText = /^-?\d+$/

/**
 * Parses like JSON.parse, and returns integers beyond the exact range of a double as bigint. Throws SyntaxError, also
 * for a deep text.
 */
export function parseLongJson(text: string): unknown {
  checkDepth(text)
  if (!longDigits.test(text)) return JSON.parse(text)
  return JSON.parse(text, keepLong as (this: unknown, key: string, value: unknown) => unknown)
}

function keepLong(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context.source
  return source !== undefined && integerText.test(source) ? BigInt(source) : value
}
