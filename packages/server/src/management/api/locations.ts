import { isAdminFault } from '../../domain/admin-fault.ts'
import { type Id, parseId } from '../../domain/id.ts'
import { isWholeField, overrideFields, overrideMembers, wholeFields } from '../../domain/override.ts'
import { Type } from '../../kit/json-schema.ts'
import { toSnakeCaseJson } from '../../kit/to-json.ts'
import { auditLineResource, auditLineSchema } from '../../resources/audit.ts'
import { apiOverrideResource, apiOverrideSchema, apiPlaceResource, apiPlaceSchema } from '../../resources/place.ts'
import { closedObject, enteredText, idText } from '../../resources/schema.ts'
import { getDecidedPlace, getPlace } from '../../usecases/admin/get-place.ts'
import { liftOverride } from '../../usecases/admin/lift-override.ts'
import { locationHistory } from '../../usecases/admin/location-history.ts'
import { mergeLocation } from '../../usecases/admin/merge-location.ts'
import { isOverrideField, overrideLocation } from '../../usecases/admin/override-location.ts'
import { removeLocation } from '../../usecases/admin/remove-location.ts'
import { fromCursor, pageOf, pageQuery, toCursor } from '../page.ts'
import { problem } from '../problem.ts'
import { apiRoute } from '../route.ts'

const reason = () => enteredText('reason', 'Reason of the change, for colleagues.')

/** Returns the id in a path; undefined for text that is not an id, which no location has. */
export const idOf = ({ id }: Readonly<Record<string, string>>): Id | undefined => parseId(id!)
const unknownPlace = () => problem('resource_unknown')

const fieldSchema = closedObject({
  field: Type.Enum([...overrideFields, ...wholeFields]),
  overridden: Type.Boolean(),
  /** The stored value; missing if the location has none. */
  value: Type.Optional(Type.Unknown()),
  override: Type.Optional(apiOverrideSchema),
})

/** `/locations` of the admin API. */
export const locationRoutes = [
  apiRoute({
    method: 'GET',
    path: '/locations/:id',
    operation: 'getAdminLocation',
    summary: 'Returns a location with its overridden fields.',
    permission: 'places:write',
    response: apiPlaceSchema,
    handler: async ({ places }, { actor, params }) => {
      const id = idOf(params)
      if (id === undefined) return unknownPlace()
      const place = await getPlace(places, actor, { id })
      return isAdminFault(place) ? place : { body: apiPlaceResource(place) }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/locations/:id/overrides/:field',
    operation: 'getOverride',
    summary: 'Returns the value of a field and its override. The ETag of a field that is not overridden is "0".',
    permission: 'places:write',
    response: fieldSchema,
    handler: async ({ places }, { actor, params }) => {
      const [id, field] = [idOf(params), params.field!]
      if (id === undefined || (!isWholeField(field) && !isOverrideField(field))) return unknownPlace()
      const place = await getDecidedPlace(places, actor, { id })
      if (isAdminFault(place)) return place
      const override = place.overrides.find(one => one.field === field)
      const stored = isWholeField(field) ? override?.value : place.entry?.location()[overrideMembers[field]]
      const body = {
        field,
        overridden: override !== undefined,
        ...(stored !== undefined && { value: toSnakeCaseJson({ stored }).stored }),
        ...(override && { override: apiOverrideResource(override) }),
      }
      return { body, revision: override?.revision ?? 0 }
    },
  }),
  apiRoute({
    method: 'PUT',
    path: '/locations/:id/overrides/:field',
    operation: 'overrideLocation',
    summary: 'Sets the value of a field, which wins over imports until it is lifted.',
    permission: 'places:write',
    body: closedObject({
      value: Type.Unknown({ description: 'The value in the form of imported records.' }),
      reason: reason(),
    }),
    response: apiOverrideSchema,
    handler: async ({ places }, { actor, params, expectedRevision, body }) => {
      const id = idOf(params)
      if (id === undefined) return unknownPlace()
      const input = { id, field: params.field!, value: body.value, reason: body.reason, expectedRevision }
      const override = await overrideLocation(places, actor, input)
      return isAdminFault(override) ? override : { body: apiOverrideResource(override), revision: override.revision }
    },
  }),
  apiRoute({
    method: 'DELETE',
    path: '/locations/:id/overrides/:field',
    operation: 'liftOverride',
    summary:
      'Lifts an override, a merge by the field merged_into, or a removal by the field removed: the last import is served again.',
    permission: 'places:write',
    query: closedObject({ reason: reason() }),
    handler: async ({ places }, { actor, params, expectedRevision, query }) => {
      const id = idOf(params)
      if (id === undefined) return unknownPlace()
      const input = { id, field: params.field!, reason: query.reason, expectedRevision }
      const lifted = await liftOverride(places, actor, input)
      return isAdminFault(lifted) ? lifted : { body: {} }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/locations/:id/merge',
    operation: 'mergeLocation',
    summary: 'Merges a location into another one, to which its reviews are moved.',
    permission: 'places:write',
    body: closedObject({ into: idText(), reason: reason() }),
    response: apiOverrideSchema,
    handler: async ({ places }, { actor, params, body }) => {
      const [id, into] = [idOf(params), parseId(body.into)]
      if (id === undefined || into === undefined) return unknownPlace()
      const merge = await mergeLocation(places, actor, { id, into, reason: body.reason })
      return isAdminFault(merge) ? merge : { body: apiOverrideResource(merge), revision: merge.revision }
    },
  }),
  apiRoute({
    method: 'DELETE',
    path: '/locations/:id',
    operation: 'removeLocation',
    summary: 'Removes a location and its reviews. Imports do not restore it until the removal is lifted.',
    permission: 'places:write',
    ifMatch: false,
    query: closedObject({ reason: reason() }),
    response: apiOverrideSchema,
    handler: async ({ places }, { actor, params, query }) => {
      const id = idOf(params)
      if (id === undefined) return unknownPlace()
      const removed = await removeLocation(places, actor, { id, reason: query.reason })
      return isAdminFault(removed) ? removed : { body: apiOverrideResource(removed), revision: removed.revision }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/locations/:id/history',
    operation: 'getLocationHistory',
    summary: 'Lists the overrides, merges, removals and lifts of a location, newest first.',
    permission: 'places:write',
    query: closedObject(pageQuery),
    response: pageOf(auditLineSchema),
    handler: async ({ places }, { actor, params, query: { limit = 50, after } }) => {
      const id = idOf(params)
      if (id === undefined) return unknownPlace()
      const start = after === undefined ? undefined : Number(fromCursor(after))
      const page = await locationHistory(places, actor, { id, limit, after: Number.isNaN(start) ? 0 : start })
      if (isAdminFault(page)) return page
      const next = page.next === undefined ? null : toCursor(String(page.next))
      return { body: { data: page.lines.map(auditLineResource), next } }
    },
  }),
]
