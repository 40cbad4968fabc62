import { auditPages } from '../console/audit.ts'
import { placePages } from '../console/places/pages.ts'
import { activityPages } from '../partner/activity.ts'
import type { PageRoute } from './page-route.ts'

/** All pages of the portal and the console: the table that decides who may open what. */
export const pageRoutes: readonly PageRoute[] = [...activityPages, ...auditPages, ...placePages]
