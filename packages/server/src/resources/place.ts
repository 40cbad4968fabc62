import Type from 'typebox'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'
import { mergeField, type Override, overrideFields } from '../domain/override.ts'
import { toLongJson } from '../kit/long-json.ts'
import { toSnakeCaseJson } from '../kit/to-json.ts'
import { closedObject, dateTime, formatDateTime, int64Id, type Resource } from './schema.ts'

export const overrideSchema = closedObject({
  location_id: int64Id(),
  field: Type.Enum([...overrideFields, mergeField]),
  /** The value in the members of imported records; of a merge, the id of the survivor as text. */
  value: Type.Unknown(),
  /** The last imported value. */
  imported: Type.Optional(Type.Unknown()),
  reason: Type.String(),
  actor: closedObject({ kind: Type.String(), id: Type.String(), via: Type.String() }),
  at: dateTime(),
  revision: Type.Integer({ minimum: 1 }),
})
export type OverrideResource = Resource<typeof overrideSchema>

/** Presents an override. */
export const overrideResource = ({ locationId, field, value, imported, reason, actor, atMs, revision }: Override) => ({
  location_id: toLongJson(locationId),
  field,
  value: jsonOf(value),
  ...(imported !== undefined && { imported: jsonOf(imported) }),
  reason,
  actor: { kind: actor.kind, id: actor.id, via: actor.via },
  at: formatDateTime(atMs),
  revision,
})

const jsonOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? toSnakeCaseJson({ value }).value : value

export const placeSchema = closedObject({
  id: int64Id(),
  /** The location into which this one was merged; the other members are its own. */
  merged_into: Type.Optional(int64Id()),
  source: Type.String(),
  country: Type.Optional(Type.String()),
  top_level_category: Type.String(),
  updated_at: dateTime(),
  /** The stored record, with overridden values. */
  record: Type.Unsafe<object>({ type: 'object' }),
  overrides: Type.Array(overrideSchema),
})

/** Presents a location as operators see it. */
export const placeResource = ({
  id,
  entry,
  overrides,
}: {
  readonly id: Id
  readonly entry: LocationEntry
  readonly overrides: readonly Override[]
}) => ({
  id: toLongJson(id),
  ...(entry.id !== id && { merged_into: toLongJson(entry.id) }),
  source: entry.source,
  ...(entry.country !== undefined && { country: entry.country }),
  top_level_category: entry.category,
  updated_at: formatDateTime(entry.updatedMs),
  record: toSnakeCaseJson(entry.location()),
  overrides: overrides.map(overrideResource),
})
