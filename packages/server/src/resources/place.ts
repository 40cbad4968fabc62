import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'
import { type Override, overrideFields, wholeFields } from '../domain/override.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { toLongJson } from '../kit/long-json.ts'
import { toSnakeCaseJson } from '../kit/to-json.ts'
import { closedObject, formatDateTime, idNumber, idText, type Resource } from './schema.ts'

const overrideMembers = {
  field: Type.Enum([...overrideFields, ...wholeFields]),
  /**
   * The value in the members of imported records; of a merge, the id of the survivor as text; of a removal, `removed`.
   */
  value: Type.Unknown(),
  /** The last imported value. */
  imported: Type.Optional(Type.Unknown()),
  reason: Type.String(),
  actor: closedObject({ kind: Type.String(), id: Type.String(), via: Type.String() }),
  at: dateTime(),
  revision: Type.Integer({ minimum: 1 }),
}

export const overrideSchema = closedObject({ location_id: idNumber(), ...overrideMembers })

/** The override in the admin API. */
export const apiOverrideSchema = closedObject({ location_id: idText(), ...overrideMembers })

/** Presents an override. */
export const overrideResource = (override: Override) => ({
  location_id: toLongJson(override.locationId),
  ...overrideBody(override),
})

/** Presents an override in the admin API. */
export const apiOverrideResource = (override: Override): Resource<typeof apiOverrideSchema> => ({
  location_id: String(override.locationId),
  ...overrideBody(override),
})

const overrideBody = ({ field, value, imported, reason, actor, atMs, revision }: Override) => ({
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

const placeMembers = {
  source: Type.String(),
  country: Type.Optional(Type.String()),
  top_level_category: Type.String(),
  updated_at: dateTime(),
  /** The stored record, with overridden values; of a merged location, the survivor's. */
  record: Type.Unsafe<object>({ type: 'object' }),
}

export const placeSchema = closedObject({
  id: idNumber(),
  merged_into: Type.Optional(idNumber()),
  ...placeMembers,
  overrides: Type.Array(overrideSchema),
})

/** The location in the admin API. */
export const apiPlaceSchema = closedObject({
  id: idText(),
  merged_into: Type.Optional(idText()),
  ...placeMembers,
  overrides: Type.Array(apiOverrideSchema),
})

/** A location as operators see it. */
interface Place {
  readonly id: Id
  readonly entry: LocationEntry
  readonly overrides: readonly Override[]
}

/** Presents a location. */
export const placeResource = ({ id, entry, overrides }: Place) => ({
  id: toLongJson(id),
  ...(entry.id !== id && { merged_into: toLongJson(entry.id) }),
  ...placeBody(entry),
  overrides: overrides.map(overrideResource),
})

/** Presents a location in the admin API. */
export const apiPlaceResource = ({ id, entry, overrides }: Place): Resource<typeof apiPlaceSchema> => ({
  id: String(id),
  ...(entry.id !== id && { merged_into: String(entry.id) }),
  ...placeBody(entry),
  overrides: overrides.map(apiOverrideResource),
})

const placeBody = (entry: LocationEntry) => ({
  source: entry.source,
  ...(entry.country !== undefined && { country: entry.country }),
  top_level_category: entry.category,
  updated_at: formatDateTime(entry.updatedMs),
  record: toSnakeCaseJson(entry.location()),
})
