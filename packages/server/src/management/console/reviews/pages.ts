import { consolePage } from '../../pages/page-route.ts'
import { exportFormat } from '../../shared/export.ts'
import { erasePage, erasurePage, moderatePage } from './review-decisions.ts'
import { reviewListView } from './review-list.ts'
import { exportReviews, readReviewFilters } from './review-query.ts'
import { cancelScanPage, decideFoundPage, scanPage, startScanPage } from './scan-pages.ts'

const scan = { permission: 'reviews:moderate' } as const
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
  consolePage({ ...scan, method: 'GET', path: '/reviews/scan', handler: scanPage }),
  consolePage({ ...scan, method: 'POST', path: '/reviews/scan', handler: startScanPage }),
  consolePage({ ...scan, method: 'POST', path: '/reviews/cancel', handler: cancelScanPage }),
  ...(['hide', 'show'] as const).map(action =>
    consolePage({ ...scan, method: 'POST', path: `/reviews/${action}-found`, handler: decideFoundPage(action) }),
  ),
  consolePage({ ...erase, method: 'GET', handler: erasurePage }),
  consolePage({ ...erase, method: 'POST', handler: erasePage }),
]
