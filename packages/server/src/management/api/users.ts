import { isAdminFault } from '../../domain/admin-fault.ts'
import { Type } from '../../kit/json-schema.ts'
import { closedObject } from '../../resources/schema.ts'
import { sessionListResource, sessionSchema, userResource, userSchema } from '../../resources/user.ts'
import { findUser } from '../../usecases/admin/identity.ts'
import { listUsers, withinPartner } from '../../usecases/admin/list-users.ts'
import { listSessions } from '../../usecases/admin/sessions.ts'
import { pageOf, pageQuery, toPage } from '../page.ts'
import { apiRoute } from '../route.ts'

/** Tokens read users and never change them. */
const common = { method: 'GET', permission: 'users:read' } as const

/** `/users` and `/sessions` of the admin API. */
export const userRoutes = [
  apiRoute({
    ...common,
    path: '/users',
    operation: 'listUsers',
    summary: 'Lists users, or those of a partner, oldest first.',
    forPartners: true,
    query: closedObject({
      ...pageQuery,
      partner_id: Type.Optional(Type.String({ description: 'Partner whose users to list.' })),
    }),
    response: pageOf(userSchema),
    handler: async ({ identity }, { actor, query }) => {
      const found = await listUsers(identity, actor, { partnerId: query.partner_id })
      const { data, next } = toPage(found, ({ createdMs, id }) => `${createdMs} ${id}`, query)
      return { body: { data: data.map(userResource), next } }
    },
  }),
  apiRoute({
    ...common,
    path: '/users/:id',
    operation: 'getUser',
    summary: 'Returns a user.',
    forPartners: true,
    response: userSchema,
    handler: async ({ identity }, { actor, params }) => {
      const found = await findUser(identity, actor, params.id!)
      if (isAdminFault(found)) return found
      const user = actor.partnerId === undefined ? found : withinPartner(found, actor.partnerId)
      return { body: userResource(user), revision: user.revision }
    },
  }),
  apiRoute({
    ...common,
    path: '/sessions',
    operation: 'listSessions',
    summary: 'Lists open sessions of all users, or of one.',
    query: closedObject({
      ...pageQuery,
      user: Type.Optional(Type.String({ description: 'Id or e-mail address of the user.' })),
    }),
    response: pageOf(sessionSchema),
    handler: async ({ identity }, { actor, query }) => {
      const found = await listSessions(identity, actor, { user: query.user })
      if (isAdminFault(found)) return found
      const { data, next } = toPage(found, ({ createdMs, id }) => `${createdMs} ${id}`, query)
      return { body: { data: sessionListResource(data).sessions, next } }
    },
  }),
]
