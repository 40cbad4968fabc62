import { partnerRoutes } from './api/partners.ts'
import type { ApiRoute } from './route.ts'

/** THE route table of the admin API. */
export const apiRoutes: readonly ApiRoute[] = [...partnerRoutes]

/** Path below which the admin API is served. */
export const apiPath = '/admin/v1'
