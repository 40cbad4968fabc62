import { isAdminFault } from '../../domain/admin-fault.ts'
import { closedObject } from '../../resources/schema.ts'
import { tokenResource, tokenSchema } from '../../resources/token.ts'
import { listTokens } from '../../usecases/admin/list-tokens.ts'
import { revokeToken } from '../../usecases/admin/revoke-token.ts'
import { pageOf, pageQuery, toPage } from '../page.ts'
import { apiRoute } from '../route.ts'

/** A token sees and revokes itself alone. */
const common = { permission: 'users:read', forPartners: true } as const

/** `/tokens` of the admin API. */
export const tokenRoutes = [
  apiRoute({
    ...common,
    method: 'GET',
    path: '/tokens',
    operation: 'listTokens',
    summary: 'Returns the token of the request; no token sees others.',
    query: closedObject(pageQuery),
    response: pageOf(tokenSchema),
    handler: async ({ admin, clock }, { actor, query }) => {
      const found = await listTokens(admin, actor)
      const { data, next } = toPage(found, ({ createdMs, id }) => `${createdMs} ${id}`, query)
      return { body: { data: data.map(token => tokenResource(token, clock.nowMs())), next } }
    },
  }),
  apiRoute({
    ...common,
    method: 'DELETE',
    path: '/tokens/:id',
    operation: 'revokeToken',
    summary: 'Revokes the token of the request permanently; its next request is refused.',
    ifMatch: false,
    response: tokenSchema,
    handler: async ({ admin, clock }, { actor, params }) => {
      const revoked = await revokeToken(admin, actor, { id: params.id! })
      return isAdminFault(revoked) ? revoked : { body: tokenResource(revoked, clock.nowMs()) }
    },
  }),
]
