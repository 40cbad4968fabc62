import type { JsonObject, JsonValue } from './json.ts'
import type { RawJson } from './long-json.ts'

/** Copies an object as JSON. Integers beyond the range of a double and all bigints become strings. */
export const toJsonObject = (value: object): JsonObject =>
  JSON.parse(JSON.stringify(value, (_key, item: unknown) => toExactJson(item)))

function toExactJson(item: unknown): unknown {
  if (typeof item === 'bigint') return item.toString()
  return typeof item === 'object' && item !== null && 'rawJSON' in item ? (item as RawJson).rawJSON : item
}

/** Copies an object as JSON with names of members in snake_case. */
export const toSnakeCaseJson = (value: object): JsonObject => renameMembers(toJsonObject(value)) as JsonObject

function renameMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(renameMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toSnakeCase(name), renameMembers(member)]))
}

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, part => `_${part.toLowerCase()}`)
