import type { Explanation } from '../domain/explanation-terms.ts'
import { Type } from '../kit/json-schema.ts'
import { closedObject, type Resource } from './schema.ts'

/** The explanation of a response, and what helps. */
export const explanationSchema = closedObject({
  code: Type.String(),
  sentence: Type.String(),
  remedy: Type.Optional(Type.String()),
  /** The page that helps: reference, keys, plan, catalog, versions, feeds, guide or status. */
  link: Type.Optional(Type.String()),
})

/** Presents an explanation. */
export const explanationResource = (explanation: Explanation): Resource<typeof explanationSchema> => ({
  ...explanation,
})
