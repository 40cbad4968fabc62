import { isAdminFault } from '../../domain/admin-fault.ts'
import { Type } from '../../kit/json-schema.ts'
import { movedPinResource, movedPinSchema, pinPreviewResource, pinPreviewSchema } from '../../resources/feed-pin.ts'
import { closedObject } from '../../resources/schema.ts'
import { pinFeed } from '../../usecases/admin/pin-feed.ts'
import { previewPin } from '../../usecases/admin/preview-pin.ts'
import { undoPin } from '../../usecases/admin/undo-pin.ts'
import { apiRoute } from '../route.ts'

const version = { version: Type.String({ description: 'Version of the feed, such as 2.' }) }
const path = '/keys/:id/feed-pins/:feed'

/** `/keys/{id}/feed-pins` of the admin API. */
export const pinRoutes = [
  apiRoute({
    method: 'GET',
    path,
    operation: 'previewPin',
    summary: 'Returns what moving the pin of a feed to a version would change. Changes nothing.',
    permission: 'keys:read',
    forPartners: true,
    query: closedObject(version),
    response: pinPreviewSchema,
    handler: async ({ admin }, { actor, params, query }) => {
      const input = { id: params.id!, feed: params.feed!, version: query.version }
      const preview = await previewPin(admin, actor, input)
      return isAdminFault(preview) ? preview : { body: pinPreviewResource(preview), revision: preview.key.revision }
    },
  }),
  apiRoute({
    method: 'PUT',
    path,
    operation: 'movePin',
    summary: 'Sets the version in which the key gets a feed. If-Match is the revision of the key.',
    permission: 'keys:write',
    body: closedObject(version),
    response: movedPinSchema,
    handler: async ({ admin }, { actor, params, expectedRevision, body }) => {
      const input = { id: params.id!, feed: params.feed!, version: body.version, expectedRevision }
      const moved = await pinFeed(admin, actor, input)
      return isAdminFault(moved) ? moved : { body: movedPinResource(moved, actor.id), revision: moved.key.revision }
    },
  }),
  apiRoute({
    method: 'POST',
    path: `${path}/undo`,
    operation: 'undoPin',
    summary: 'Returns to the version before the last move, at most 72 hours later. If-Match is required.',
    permission: 'keys:write',
    ifMatch: true,
    response: movedPinSchema,
    handler: async ({ admin }, { actor, params, expectedRevision }) => {
      const moved = await undoPin(admin, actor, { id: params.id!, feed: params.feed!, expectedRevision })
      return isAdminFault(moved) ? moved : { body: movedPinResource(moved, actor.id), revision: moved.key.revision }
    },
  }),
]
