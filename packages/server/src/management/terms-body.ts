import { topLevelCategories } from '../domain/category.ts'
import { Type } from '../kit/json-schema.ts'
import { closedObject } from '../resources/schema.ts'

/** Returns a schema that also permits null, which removes the value. */
export const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()])
const rate = () => Type.Number({ exclusiveMinimum: 0 })
const units = () => Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')])

/** Schemas of the members of an agreement in a request. */
export const limitSchemas = {
  rate: rate(),
  burst: Type.Integer({ minimum: 1 }),
  quota: units(),
  search_rate: rate(),
  search_burst: Type.Integer({ minimum: 1 }),
  search_quota: units(),
  autocomplete_rate: rate(),
  autocomplete_burst: Type.Integer({ minimum: 1 }),
  subject: Type.Enum(['key', 'partner']),
}
/** Schemas of the members of a scope in a request. */
export const scopeSchemas = {
  countries: Type.Array(Type.String()),
  categories: Type.Array(Type.Enum(topLevelCategories)),
  sources: Type.Array(Type.String()),
}

/** Returns members that may be left out. */
export const partialObject = <P extends Record<string, Parameters<typeof Type.Optional>[0]>>(schemas: P) =>
  closedObject(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)])))

/** Returns members that may be left out or removed by null. */
export const patch = (schemas: Record<string, Parameters<typeof Type.Optional>[0]>) =>
  partialObject(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, nullable(schema)])))

type Members = Readonly<Record<string, unknown>>

/** Returns `before` with the members of a merge patch (RFC 7396), whose names are in snake case. */
export function applyMergePatch<T extends object>(before: T, change: Members | null | undefined): T {
  if (change === null) return {} as T
  const merged = new Map<string, unknown>(Object.entries(before))
  for (const [name, value] of Object.entries(change ?? {})) {
    const member = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    if (value === null) merged.delete(member)
    else merged.set(member, value)
  }
  return Object.fromEntries(merged) as T
}
