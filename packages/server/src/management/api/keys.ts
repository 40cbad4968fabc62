import { isAdminFault } from '../../domain/admin-fault.ts'
import type { Agreement } from '../../domain/agreement.ts'
import type { Key, KeyChange } from '../../domain/key.ts'
import { addOnPermissions, packageNames } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import { dateTime, type Static, Type } from '../../kit/json-schema.ts'
import { keyResource, keySchema } from '../../resources/key.ts'
import { closedObject, enteredText } from '../../resources/schema.ts'
import { changeKey } from '../../usecases/admin/change-key.ts'
import { createKey } from '../../usecases/admin/create-key.ts'
import { getKey } from '../../usecases/admin/get-key.ts'
import { listKeys } from '../../usecases/admin/list-keys.ts'
import { invalidCursor, pageOf, pageQuery, selectListPage } from '../page.ts'
import { apiRoute } from '../route.ts'
import { applyMergePatch, limitSchemas, nullable, partialObject, patch, scopeSchemas } from '../terms-body.ts'

const createBody = closedObject({
  partner_id: Type.Optional(
    Type.String({ description: 'Partner that holds the key. Default: the partner `default`.' }),
  ),
  name: Type.Optional(enteredText('name', 'Purpose of the key.')),
  package: Type.Enum(packageNames),
  test: Type.Optional(Type.Boolean({ description: 'Test key: never billed, 1,000 units a day, no feeds.' })),
  add_ons: Type.Optional(Type.Array(Type.Enum([...addOnPermissions]))),
  agreement: Type.Optional(partialObject(limitSchemas)),
  scope: Type.Optional(partialObject(scopeSchemas)),
  notes: Type.Optional(enteredText('notes', 'Notes of the operator; partners never see them.')),
  expires_at: Type.Optional(dateTime()),
  networks: Type.Optional(Type.Array(Type.String(), { description: 'Networks in CIDR notation, or addresses.' })),
})

const changeBody = closedObject({
  name: Type.Optional(enteredText('name')),
  package: Type.Optional(Type.Enum(packageNames)),
  state: Type.Optional(Type.Enum(['active', 'disabled', 'revoked'])),
  add_ons: Type.Optional(Type.Array(Type.Enum([...addOnPermissions]))),
  agreement: Type.Optional(nullable(patch(limitSchemas))),
  scope: Type.Optional(nullable(patch(scopeSchemas))),
  notes: Type.Optional(nullable(enteredText('notes'))),
  expires_at: Type.Optional(nullable(dateTime())),
  networks: Type.Optional(nullable(Type.Array(Type.String()))),
})

/** Returns the change of a key that a merge patch describes. */
function changeOf(key: Key, body: Static<typeof changeBody>): KeyChange {
  const { package: packageName, add_ons: addOns, agreement, scope, expires_at: end, ...rest } = body
  return {
    ...rest,
    ...(packageName !== undefined && { packageName }),
    ...(addOns !== undefined && { addOns }),
    ...(agreement !== undefined && { agreement: applyMergePatch<Agreement>(key.agreement, agreement) }),
    ...(scope !== undefined && { scope: applyMergePatch<Scope>(key.scope, scope) }),
    ...(end !== undefined && { expiresMs: end === null ? null : Date.parse(end) }),
  }
}

const secret = Type.String({ description: 'The secret, which is never shown again.' })
const keyWithSecret = closedObject({ ...keySchema.properties, secret })

const states = ['active', 'disabled', 'revoked'] as const

/** `/keys` of the admin API. */
export const keyRoutes = [
  apiRoute({
    method: 'GET',
    path: '/keys',
    operation: 'listKeys',
    summary: 'Lists keys with their effective limits, oldest first, including revoked ones.',
    permission: 'keys:read',
    forPartners: true,
    query: closedObject({
      ...pageQuery,
      partner_id: Type.Optional(Type.String()),
      state: Type.Optional(Type.Enum([...states])),
      test: Type.Optional(Type.Boolean()),
    }),
    response: pageOf(keySchema),
    handler: async ({ admin }, { actor, query: { partner_id, state, test, ...page } }) => {
      const filter = { partnerIds: partner_id === undefined ? undefined : [partner_id], state, test }
      const found = await selectListPage(span => listKeys(admin, actor, { ...filter, ...span }), page)
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
    body: createBody,
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
    body: changeBody,
    response: keySchema,
    handler: async ({ admin }, { actor, params, expectedRevision, body }) => {
      const before = await getKey(admin, actor, { id: params.id! })
      if (isAdminFault(before)) return before
      const change = changeOf(before, body)
      const key = await changeKey(admin, actor, { id: before.id, expectedRevision, change })
      return isAdminFault(key) ? key : { body: keyResource(key, admin.packageTable), revision: key.revision }
    },
  }),
]
