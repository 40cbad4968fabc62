import type { JsonObject } from './json.ts'
import type { RawJson } from './long-json.ts'

/** Copies an object as JSON. Integers beyond the range of a double and all bigints become strings. */
export const toJsonObject = (value: object): JsonObject =>
  JSON.parse(JSON.stringify(value, (_key, item: unknown) => toExactJson(item)))

function toExactJson(item: unknown): unknown {
  if (typeof item === 'bigint') return item.toString()
  return typeof item === 'object' && item !== null && 'rawJSON' in item ? (item as RawJson).rawJSON : item
}
