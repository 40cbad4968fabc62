import { consolePage } from '../../pages/page-route.ts'
import { exportFormat } from '../../shared/export.ts'
import { erasePage, erasurePage, moderatePage } from './review-decisions.ts'
import { reviewListView } from './review-list.ts'
import { exportReviews, readReviewFilters } from './review-query.ts'

const erase = { path: '/reviews/erase', permission: 'reviews:erase', proof: true } as const

/** Reviews: the queue of moderators, and decisions about several reviews at once. */
export const reviewPages = [
  consolePage({
    method: 'GET',
    path: '/reviews',
    permission: 'system:read',
    handler: (context, request) => {
      const [filters, format] = [readReviewFilters(request.query), exportFormat(request)]
      return format ? exportReviews(context, request, filters, format) : reviewListView(context, request, filters)
    },
  }),
  ...(['hide', 'show'] as const).map(action =>
    consolePage({
      method: 'POST',
      path: `/reviews/${action}`,
      permission: 'reviews:moderate',
      handler: moderatePage(action),
    }),
  ),
  consolePage({ ...erase, method: 'GET', handler: erasurePage }),
  consolePage({ ...erase, method: 'POST', handler: erasePage }),
]
