import { isAdminFault } from '../../domain/admin-fault.ts'
import { limitStatusResource, limitStatusSchema } from '../../resources/limit-status.ts'
import { forgivePenalty } from '../../usecases/admin/forgive-penalty.ts'
import { getLimits } from '../../usecases/admin/get-limits.ts'
import { apiRoute } from '../route.ts'

/** `/keys/{id}/limits` and `/keys/{id}/penalty` of the admin API. */
export const keyLimitRoutes = [
  apiRoute({
    method: 'GET',
    path: '/keys/:id/limits',
    operation: 'getKeyLimits',
    summary: 'Returns what is left of the limits of a key, its open windows and its penalty.',
    permission: 'keys:read',
    forPartners: true,
    response: limitStatusSchema,
    handler: async ({ admin, live }, { actor, params }) => {
      const found = await getLimits({ ...admin, live }, actor, { id: params.id! })
      return isAdminFault(found) ? found : { body: limitStatusResource(found.status) }
    },
  }),
  apiRoute({
    method: 'DELETE',
    path: '/keys/:id/penalty',
    operation: 'forgivePenalty',
    summary:
      'Ends the penalty of a key for retrying too early. It needs no If-Match, because a penalty has no revision.',
    permission: 'keys:write',
    ifMatch: false,
    status: 200,
    response: limitStatusSchema,
    handler: async ({ admin, live }, { actor, params }) => {
      const found = await forgivePenalty({ ...admin, live }, actor, { id: params.id! })
      return isAdminFault(found) ? found : { body: limitStatusResource(found.status) }
    },
  }),
]
