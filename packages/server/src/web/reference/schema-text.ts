import { nameOfRef, resolve, type Schema, type Schemas } from './openapi.ts'

/** Returns the type of a value in words: `string`, `integer (64-bit)`, `list of Address`. */
export function typeText(schema: Schema, schemas: Schemas): string {
  const found = resolve(schema, schemas)
  if (found.anyOf) return [...new Set(found.anyOf.map(one => typeText(one, schemas)))].join(' or ')
  if (found.type === 'array') return `list of ${typeText(found.items ?? {}, schemas)}`
  if (found.properties) return nameOfRef(schema) ?? 'object'
  if (found.type === 'object') return 'object'
  if (found.format === 'int64') return 'integer (64-bit)'
  const formats: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'date', uri: 'URL' }
  return formats[found.format ?? ''] ?? found.type ?? 'any'
}

/** Returns the values of an enumeration or of a list of them. */
export function enumValues(schema: Schema, schemas: Schemas): readonly string[] {
  const found = resolve(schema, schemas)
  if (found.items) return enumValues(found.items, schemas)
  return found.enum?.map(String) ?? []
}

/** Returns the bounds of a value in words: `1 to 20`, `at most 500 characters`; empty if it has none that matter. */
export function boundsText(schema: Schema, schemas: Schemas): string {
  const { minimum, maximum, maxLength, maxItems } = resolve(schema, schemas)
  const isHuge = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
  return [
    minimum !== undefined && !isHuge && `${minimum} to ${maximum}`,
    minimum !== undefined && isHuge && `at least ${minimum}`,
    minimum === undefined && !isHuge && `at most ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} values`,
  ]
    .filter(text => text !== false)
    .join(', ')
}

/** Returns the schema whose members a value has: of the object itself, of the items of a list, or of map values. */
export function memberSchema(schema: Schema, schemas: Schemas): Schema | undefined {
  const found = resolve(schema, schemas)
  if (found.properties) return found
  if (found.items) return memberSchema(found.items, schemas)
  return undefined
}
