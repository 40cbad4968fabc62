import { isAdminFault } from '../../domain/admin-fault.ts'
import { parseId } from '../../domain/id.ts'
import { Type } from '../../kit/json-schema.ts'
import { jobSchema } from '../../resources/job.ts'
import { apiReviewResource, apiReviewSchema } from '../../resources/moderated-review.ts'
import { closedObject, enteredText } from '../../resources/schema.ts'
import { listFoundReviews } from '../../usecases/admin/list-found-reviews.ts'
import { startModeration } from '../../usecases/admin/start-moderation.ts'
import { startReviewScan } from '../../usecases/admin/start-review-scan.ts'
import { fromCursor, pageOf, pageQuery, toCursor } from '../page.ts'
import { apiRoute } from '../route.ts'
import { startedJob } from './job-answers.ts'

const started = { status: 202, response: jobSchema } as const

/** `/review-scans` of the admin API. */
export const reviewScanRoutes = [
  apiRoute({
    method: 'POST',
    path: '/review-scans',
    operation: 'startReviewScan',
    summary: 'Starts a scan of all reviews for a user, a text or both; the id of its job is the id of the scan.',
    permission: 'reviews:moderate',
    body: closedObject({
      state: Type.Enum(['shown', 'hidden'], { default: 'shown' }),
      user: Type.Optional(Type.String({ description: '`source:user_id`.' })),
      text: Type.Optional(enteredText('text', 'Part of a title or text, in any case.')),
    }),
    ...started,
    handler: async ({ work }, { actor, body: { state = 'shown', user, text } }) =>
      startedJob(await startReviewScan(work, actor, { state, user, text })),
  }),
  apiRoute({
    method: 'GET',
    path: '/review-scans/:id/reviews',
    operation: 'listFoundReviews',
    summary: 'Lists the reviews that a scan has found so far, newest id first. Scans are kept for a day.',
    permission: 'reviews:moderate',
    query: closedObject(pageQuery),
    response: pageOf(apiReviewSchema),
    handler: async ({ work, places }, { actor, params, query: { limit = 50, after } }) => {
      const start = after === undefined ? undefined : parseId(fromCursor(after))
      const stores = { reviewList: places.reviewList, scans: work.scans }
      const found = await listFoundReviews(stores, actor, { scan: params.id!, after: start, limit })
      if (isAdminFault(found)) return found
      const next = found.next === undefined ? null : toCursor(String(found.next))
      return { body: { data: found.reviews.map(apiReviewResource), next } }
    },
  }),
  ...(['hide', 'show'] as const).map(action =>
    apiRoute({
      method: 'POST',
      path: `/review-scans/:id/${action}`,
      operation: `${action}FoundReviews`,
      summary: `Starts to ${action} all reviews that a scan has found.`,
      permission: 'reviews:moderate',
      body: closedObject({ reason: Type.Optional(enteredText('reason', 'Reason of the decision, for colleagues.')) }),
      ...started,
      handler: async ({ work }, { actor, params, body: { reason } }) =>
        startedJob(await startModeration(work, actor, { scan: params.id!, action, reason })),
    }),
  ),
]
