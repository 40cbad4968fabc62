import type { Agreement } from '../domain/agreement.ts'
import { topLevelCategories } from '../domain/category.ts'
import type { Scope } from '../domain/scope.ts'
import { type TSchema, Type } from '../kit/json-schema.ts'
import { closedObject, type Resource } from './schema.ts'

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)
const number = () => optional(Type.Number({ exclusiveMinimum: 0 }))
const quota = () => optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')]))

export const agreementSchema = closedObject({
  rate: number(),
  burst: number(),
  quota: quota(),
  search_rate: number(),
  search_burst: number(),
  search_quota: quota(),
  autocomplete_rate: number(),
  autocomplete_burst: number(),
  subject: optional(Type.Enum(['key', 'partner'])),
})

/** Presents an agreement; a missing member means the value of the package. */
export const agreementResource = (agreement: Agreement): Resource<typeof agreementSchema> => {
  const { searchRate, searchBurst, searchQuota, autocompleteRate, autocompleteBurst, ...rest } = agreement
  return {
    ...rest,
    ...(searchRate !== undefined && { search_rate: searchRate }),
    ...(searchBurst !== undefined && { search_burst: searchBurst }),
    ...(searchQuota !== undefined && { search_quota: searchQuota }),
    ...(autocompleteRate !== undefined && { autocomplete_rate: autocompleteRate }),
    ...(autocompleteBurst !== undefined && { autocomplete_burst: autocompleteBurst }),
  }
}

export const scopeSchema = closedObject({
  countries: optional(Type.Array(Type.String())),
  categories: optional(Type.Array(Type.Enum(topLevelCategories))),
  sources: optional(Type.Array(Type.String())),
})

/** Presents a scope; a missing member means no restriction. */
export const scopeResource = ({ countries, categories, sources }: Scope): Resource<typeof scopeSchema> => ({
  ...(countries && { countries: [...countries] }),
  ...(categories && { categories: [...categories] }),
  ...(sources && { sources: [...sources] }),
})
