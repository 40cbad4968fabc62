import { type OverrideField, overrideMembers } from '../domain/override.ts'
import {
  type SuggestedPlace,
  type Suggestion,
  suggestedFields,
  suggestionKinds,
  suggestionStates,
} from '../domain/suggestion.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { toSnakeCaseJson } from '../kit/to-json.ts'
import { closedObject, formatDateTime, idText, type Resource } from './schema.ts'

const text = () => Type.Optional(Type.String())
const values = (description: string) => Type.Unsafe<object>({ type: 'object', description })

const members = {
  id: Type.String(),
  location_id: idText(),
  partner_id: Type.String(),
  kind: Type.Enum(suggestionKinds),
  values: values('The suggested values by field, in the form of imported records.'),
  /** The other place of a duplicate. */
  duplicate_of: Type.Optional(idText()),
  comment: text(),
  state: Type.Enum(suggestionStates),
  by: Type.String(),
  created_at: dateTime(),
  decided_by: text(),
  decided_at: Type.Optional(dateTime()),
  reason: text(),
  revision: Type.Integer({ minimum: 1 }),
}

export const suggestionSchema = closedObject(members)

/** A suggestion next to what the place has now. */
export const suggestedPlaceSchema = closedObject({
  ...members,
  current: values('The values that the place has now, by field. Missing if the place was removed or merged.'),
})

/** Presents a suggestion. */
export const suggestionResource = (suggestion: Suggestion): Resource<typeof suggestionSchema> => ({
  id: suggestion.id,
  location_id: String(suggestion.locationId),
  partner_id: suggestion.partnerId,
  kind: suggestion.kind,
  values: suggestion.values,
  ...(suggestion.duplicateOf !== undefined && { duplicate_of: String(suggestion.duplicateOf) }),
  ...(suggestion.comment !== undefined && { comment: suggestion.comment }),
  state: suggestion.state,
  by: suggestion.by,
  created_at: formatDateTime(suggestion.createdMs),
  ...(suggestion.decidedBy !== undefined && { decided_by: suggestion.decidedBy }),
  ...(suggestion.decidedMs !== undefined && { decided_at: formatDateTime(suggestion.decidedMs) }),
  ...(suggestion.reason !== undefined && { reason: suggestion.reason }),
  revision: suggestion.revision,
})

/** Presents a suggestion next to what its place has now. */
export function suggestedPlaceResource({ suggestion, entry }: SuggestedPlace): Resource<typeof suggestedPlaceSchema> {
  const location = entry?.id === suggestion.locationId ? entry.location() : undefined
  const fields: readonly OverrideField[] = suggestedFields[suggestion.kind]
  const current = Object.fromEntries(fields.map(field => [field, location?.[overrideMembers[field]]]))
  return { ...suggestionResource(suggestion), current: toSnakeCaseJson(current) }
}

export const suggestionListSchema = closedObject({ suggestions: Type.Array(suggestionSchema) })

/** Presents suggestions. */
export const suggestionListResource = (rows: readonly Suggestion[]): Resource<typeof suggestionListSchema> => ({
  suggestions: rows.map(suggestionResource),
})
