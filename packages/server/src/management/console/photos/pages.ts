import { consolePage } from '../../pages/page-route.ts'
import { exportFormat } from '../../shared/export.ts'
import { erasePhotosPage, erasurePage, moderatePhotos } from './photo-decisions.ts'
import { exportPhotos, photoListView, readPhotoFilters } from './photo-list.ts'

const erase = { path: '/photos/erase', permission: 'reviews:erase', proof: true } as const

/** Photos: those of a place, or all hidden ones, and decisions about several at once. */
export const photoPages = [
  consolePage({
    method: 'GET',
    path: '/photos',
    permission: 'system:read',
    handler: (context, request) => {
      const [filters, format] = [readPhotoFilters(request.query), exportFormat(request)]
      return format ? exportPhotos(context, request, filters, format) : photoListView(context, request, filters)
    },
  }),
  ...(['hide', 'show'] as const).map(action =>
    consolePage({
      method: 'POST',
      path: `/photos/${action}`,
      permission: 'reviews:moderate',
      handler: moderatePhotos(action),
    }),
  ),
  consolePage({ ...erase, method: 'GET', handler: erasurePage }),
  consolePage({ ...erase, method: 'POST', handler: erasePhotosPage }),
]
