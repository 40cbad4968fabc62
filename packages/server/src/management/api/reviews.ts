import { isAdminFault } from '../../domain/admin-fault.ts'
import { parseId } from '../../domain/id.ts'
import { Type } from '../../kit/json-schema.ts'
import {
  apiErasureResource,
  apiErasureSchema,
  apiModerationSchema,
  apiReviewResource,
  apiReviewSchema,
} from '../../resources/moderated-review.ts'
import { closedObject, enteredText, idText } from '../../resources/schema.ts'
import { eraseReview } from '../../usecases/admin/erase-review.ts'
import { eraseReviewer } from '../../usecases/admin/erase-reviewer.ts'
import { getReview } from '../../usecases/admin/get-review.ts'
import { hideReview } from '../../usecases/admin/hide-review.ts'
import { listModeratedReviews } from '../../usecases/admin/list-reviews.ts'
import { showReview } from '../../usecases/admin/show-review.ts'
import { fromCursor, pageOf, pageQuery, toCursor } from '../page.ts'
import { problem } from '../problem.ts'
import { apiRoute } from '../route.ts'
import { idOf } from './locations.ts'

const unknownReview = () => problem('resource_unknown')

/** `/reviews` and `/reviewers` of the admin API. */
export const reviewRoutes = [
  apiRoute({
    method: 'GET',
    path: '/reviews',
    operation: 'listReviews',
    summary: 'Lists reviews of all locations or of one, newest id first.',
    permission: 'reviews:moderate',
    query: closedObject({
      ...pageQuery,
      location_id: Type.Optional(idText()),
      state: Type.Enum(['shown', 'hidden'], { default: 'shown' }),
    }),
    response: pageOf(apiReviewSchema),
    handler: async ({ places }, { actor, query: { limit = 50, after, location_id, state = 'shown' } }) => {
      const locationId = location_id === undefined ? undefined : parseId(location_id)
      const start = after === undefined ? undefined : parseId(fromCursor(after))
      const found = await listModeratedReviews(places, actor, { state, locationId, after: start, limit: limit + 1 })
      const data = found.slice(0, limit)
      const next = found.length > limit ? toCursor(String(data.at(-1)!.review.id)) : null
      return { body: { data: data.map(apiReviewResource), next } }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/reviews/:id',
    operation: 'getReview',
    summary: 'Returns a review, hidden or not.',
    permission: 'reviews:moderate',
    response: apiReviewSchema,
    handler: async ({ places }, { actor, params }) => {
      const id = idOf(params)
      if (id === undefined) return unknownReview()
      const review = await getReview(places, actor, { id })
      return isAdminFault(review) ? review : { body: apiReviewResource(review) }
    },
  }),
  ...(['hide', 'show'] as const).map(action =>
    apiRoute({
      method: 'POST',
      path: `/reviews/:id/${action}`,
      operation: `${action}Review`,
      summary:
        action === 'hide' ? 'Hides a review: it stays stored but is not served.' : 'Shows a hidden review again.',
      permission: 'reviews:moderate',
      query: closedObject({
        reason: Type.Optional(enteredText('reason', 'Reason of the decision, for colleagues.')),
      }),
      body: closedObject({ reason: Type.Optional(enteredText('reason', 'Reason of the decision, for colleagues.')) }),
      response: apiModerationSchema,
      handler: async ({ places }, { actor, params, query, body }) => {
        const id = idOf(params)
        if (id === undefined) return unknownReview()
        const reason = body.reason ?? query.reason
        const done = await (action === 'hide' ? hideReview : showReview)(places.moderation(), actor, { id, reason })
        return isAdminFault(done) ? done : { body: { id: String(id), state: done.state } }
      },
    }),
  ),
  apiRoute({
    method: 'POST',
    path: '/reviews/:id/erase',
    operation: 'eraseReview',
    summary: 'Permanently erases a review; later imports reject it.',
    permission: 'reviews:erase',
    response: apiErasureSchema,
    handler: async ({ places }, { actor, params }) => {
      const id = idOf(params)
      if (id === undefined) return unknownReview()
      const erasure = await eraseReview(places.moderation(), actor, { id })
      return isAdminFault(erasure) ? erasure : { body: apiErasureResource(erasure) }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/reviewers/:source/:user/erase',
    operation: 'eraseReviewer',
    summary: 'Permanently erases all reviews of a user; later imports reject them.',
    permission: 'reviews:erase',
    response: apiErasureSchema,
    handler: async ({ places }, { actor, params }) => {
      const { source = '', user = '' } = params
      const reviewer = source.includes(':') ? undefined : `${source}:${user}`
      const erasure = await eraseReviewer(places.moderation(), actor, { reviewer })
      return isAdminFault(erasure) ? erasure : { body: apiErasureResource(erasure) }
    },
  }),
]
