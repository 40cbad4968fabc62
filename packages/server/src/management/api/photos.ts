import { isAdminFault } from '../../domain/admin-fault.ts'
import { parseId } from '../../domain/id.ts'
import { Type } from '../../kit/json-schema.ts'
import { apiErasureResource, apiErasureSchema } from '../../resources/moderated-review.ts'
import { decidedPhotoResource, decidedPhotoSchema, photoResource, photoSchema } from '../../resources/photo.ts'
import { closedObject, enteredText, idText } from '../../resources/schema.ts'
import { hidePhoto, showPhoto } from '../../usecases/admin/decide-photo.ts'
import { erasePhoto } from '../../usecases/admin/erase-photo.ts'
import { listModeratedPhotos } from '../../usecases/admin/list-photos.ts'
import { fromCursor, pageOf, pageQuery, toCursor } from '../page.ts'
import { apiRoute } from '../route.ts'

const reason = () => Type.Optional(enteredText('reason', 'Reason of the decision, for colleagues.'))

/** `/photos` of the admin API. */
export const photoRoutes = [
  apiRoute({
    method: 'GET',
    path: '/photos',
    operation: 'listPhotos',
    summary: 'Lists the photos of a location, hidden ones included, or all hidden photos.',
    permission: 'reviews:moderate',
    query: closedObject({ ...pageQuery, location_id: Type.Optional(idText()) }),
    response: pageOf(photoSchema),
    handler: async ({ places }, { actor, query: { limit = 50, after, location_id } }) => {
      const locationId = location_id === undefined ? undefined : parseId(location_id)
      const start = after === undefined ? undefined : fromCursor(after)
      const { photos } = places.moderation()
      const found = await listModeratedPhotos(photos, actor, { locationId, after: start, limit: limit + 1 })
      if (isAdminFault(found)) return found
      const data = found.slice(0, limit)
      const next = found.length > limit ? toCursor(data.at(-1)!.photoId) : null
      return { body: { data: data.map(photoResource), next } }
    },
  }),
  ...(['hide', 'show'] as const).map(action =>
    apiRoute({
      method: 'POST',
      path: `/photos/:id/${action}`,
      operation: `${action}Photo`,
      summary: action === 'hide' ? 'Hides a photo: no response has it.' : 'Shows a hidden photo again.',
      permission: 'reviews:moderate',
      body: closedObject({ reason: reason() }),
      response: decidedPhotoSchema,
      handler: async ({ places }, { actor, params: { id = '' }, body }) => {
        const decide = action === 'hide' ? hidePhoto : showPhoto
        const done = await decide(places.moderation(), actor, { id, reason: body.reason })
        return isAdminFault(done) ? done : { body: decidedPhotoResource(done) }
      },
    }),
  ),
  apiRoute({
    method: 'POST',
    path: '/photos/:id/erase',
    operation: 'erasePhoto',
    summary: 'Permanently erases a photo; later imports leave it out.',
    permission: 'reviews:erase',
    response: apiErasureSchema,
    handler: async ({ places }, { actor, params: { id = '' } }) => {
      const erasure = await erasePhoto(places.moderation(), actor, { id })
      return isAdminFault(erasure) ? erasure : { body: apiErasureResource(erasure) }
    },
  }),
]
