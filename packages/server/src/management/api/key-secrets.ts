import { isAdminFault } from '../../domain/admin-fault.ts'
import { dateTime, Type } from '../../kit/json-schema.ts'
import { keyResource, keySchema } from '../../resources/key.ts'
import { secretResource, secretSchema } from '../../resources/key-secret.ts'
import { closedObject, formatDateTime } from '../../resources/schema.ts'
import { endSecret } from '../../usecases/admin/end-secret.ts'
import { getKey } from '../../usecases/admin/get-key.ts'
import { listSecrets } from '../../usecases/admin/list-secrets.ts'
import { rotateKey } from '../../usecases/admin/rotate-key.ts'
import { apiRoute } from '../route.ts'

const secret = Type.String({ description: 'The secret, which is never shown again.' })
const rotatedKey = closedObject({ ...keySchema.properties, secret, others_expire_at: dateTime() })

/** `/keys/{id}/secrets` of the admin API. Its ETag is that of the key. */
export const keySecretRoutes = [
  apiRoute({
    method: 'GET',
    path: '/keys/:id/secrets',
    operation: 'listSecrets',
    summary: 'Lists the secrets of a key by their last characters, ended ones as well, oldest first.',
    permission: 'keys:read',
    forPartners: true,
    response: closedObject({ data: Type.Array(secretSchema) }),
    handler: async ({ admin }, { actor, params }) => {
      const found = await listSecrets(admin, actor, { id: params.id! })
      if (isAdminFault(found)) return found
      return { body: { data: found.secrets.map(secretResource) }, revision: found.key.revision }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/keys/:id/secrets',
    operation: 'rotateKey',
    summary: 'Adds a secret to a key; earlier secrets stay valid for the overlap. If-Match is optional.',
    permission: 'keys:write',
    forPartners: false,
    body: closedObject({
      overlap_seconds: Type.Integer({ minimum: 0, maximum: 86_400_000_000, default: 86_400 }),
    }),
    status: 201,
    response: rotatedKey,
    handler: async ({ admin }, { actor, params, expectedRevision, body }) => {
      const before = await getKey(admin, actor, { id: params.id! })
      if (isAdminFault(before)) return before
      const rotation = {
        id: before.id,
        expectedRevision: expectedRevision || before.revision,
        overlapMs: body.overlap_seconds * 1000,
      }
      const rotated = await rotateKey(admin, actor, rotation)
      if (isAdminFault(rotated)) return rotated
      const { key, othersExpireMs } = rotated
      const shown = {
        ...keyResource(key, admin.packageTable),
        secret: rotated.secret,
        others_expire_at: formatDateTime(othersExpireMs),
      }
      return { body: shown, revision: key.revision }
    },
  }),
  apiRoute({
    method: 'DELETE',
    path: '/keys/:id/secrets/:secret_id',
    operation: 'endSecret',
    summary: 'Ends one secret of a key now. If-Match is the ETag of the key.',
    permission: 'keys:write',
    response: keySchema,
    handler: async ({ admin }, { actor, params, expectedRevision }) => {
      const end = { id: params.id!, secretId: params.secret_id!, expectedRevision }
      const key = await endSecret(admin, actor, end)
      return isAdminFault(key) ? key : { body: keyResource(key, admin.packageTable), revision: key.revision }
    },
  }),
]
