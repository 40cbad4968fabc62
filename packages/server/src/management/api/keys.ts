import { isAdminFault } from '../../domain/admin-fault.ts'
import type { Agreement } from '../../domain/agreement.ts'
import { keyStates } from '../../domain/key.ts'
import { keyOrders } from '../../domain/key-stores.ts'
import type { Scope } from '../../domain/scope.ts'
import { Type } from '../../kit/json-schema.ts'
import { keyResource, keySchema } from '../../resources/key.ts'
import { closedObject } from '../../resources/schema.ts'
import { changeKey } from '../../usecases/admin/change-key.ts'
import { createKey } from '../../usecases/admin/create-key.ts'
import { getKey } from '../../usecases/admin/get-key.ts'
import { listKeyPart } from '../../usecases/admin/list-keys.ts'
import { invalidCursor, pageOf, pageQuery, readListPage, sortQuery } from '../page.ts'
import { apiRoute } from '../route.ts'
import { applyMergePatch } from '../terms-body.ts'
import { changeKeyBody, createKeyBody, keyChangeOf } from './key-bodies.ts'

const secret = Type.String({ description: 'The secret, which is never shown again.' })
const keyWithSecret = closedObject({ ...keySchema.properties, secret })

/** `/keys` of the admin API. */
export const keyRoutes = [
  apiRoute({
    method: 'GET',
    path: '/keys',
    operation: 'listKeys',
    summary: 'Lists keys with their effective limits, oldest first by default, including revoked ones.',
    permission: 'keys:read',
    forPartners: true,
    query: closedObject({
      ...pageQuery,
      ...sortQuery(keyOrders),
      partner_id: Type.Optional(Type.String()),
      state: Type.Optional(Type.Enum(keyStates)),
      test: Type.Optional(Type.Boolean()),
    }),
    response: pageOf(keySchema),
    handler: async ({ admin }, { actor, query: { partner_id, state, test, ...page } }) => {
      const filter = {
        partnerIds: partner_id === undefined ? undefined : [partner_id],
        states: state === undefined ? undefined : [state],
        test,
      }
      const found = await readListPage(keyOrders, span => listKeyPart(admin, actor, { ...filter, ...span }), page)
      if (!found) return invalidCursor()
      return { body: { ...found, data: found.data.map(key => keyResource(key, admin.packageTable)) } }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/keys',
    operation: 'createKey',
    summary: 'Creates a key. The answer has its secret, which is never shown again.',
    permission: 'keys:write',
    forPartners: false,
    body: createKeyBody,
    status: 201,
    response: keyWithSecret,
    handler: async ({ admin }, { actor, body }) => {
      const {
        partner_id: partnerId,
        package: packageName,
        add_ons: addOns,
        agreement,
        scope,
        expires_at,
        ...rest
      } = body
      const created = await createKey(admin, actor, {
        ...rest,
        partnerId,
        packageName,
        ...(addOns && { addOns }),
        agreement: applyMergePatch<Agreement>({}, agreement),
        scope: applyMergePatch<Scope>({}, scope),
        ...(expires_at !== undefined && { expiresMs: Date.parse(expires_at) }),
      })
      if (isAdminFault(created)) return created
      const { key } = created
      const shown = { ...keyResource(key, admin.packageTable), secret: created.secret }
      return { body: shown, revision: key.revision, location: `/keys/${key.id}` }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/keys/:id',
    operation: 'getKey',
    summary: 'Returns a key with its effective limits, each with its source.',
    permission: 'keys:read',
    forPartners: true,
    response: keySchema,
    handler: async ({ admin }, { actor, params }) => {
      const key = await getKey(admin, actor, { id: params.id! })
      return isAdminFault(key) ? key : { body: keyResource(key, admin.packageTable), revision: key.revision }
    },
  }),
  apiRoute({
    method: 'PATCH',
    path: '/keys/:id',
    operation: 'changeKey',
    summary: 'Changes the given terms or the state of a key; null removes a term.',
    permission: 'keys:write',
    forPartners: false,
    body: changeKeyBody,
    response: keySchema,
    handler: async ({ admin }, { actor, params, expectedRevision, body }) => {
      const before = await getKey(admin, actor, { id: params.id! })
      if (isAdminFault(before)) return before
      const change = keyChangeOf(before, body)
      const key = await changeKey(admin, actor, { id: before.id, expectedRevision, change })
      return isAdminFault(key) ? key : { body: keyResource(key, admin.packageTable), revision: key.revision }
    },
  }),
]
