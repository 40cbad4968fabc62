import type { KeySecret } from '../domain/key-secret.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

/** A secret of a key as it is listed. */
export const secretSchema = closedObject({
  id: Type.String(),
  /** The last four characters; missing for secrets of earlier releases. */
  last4: Type.Optional(Type.String()),
  created_at: dateTime(),
  expires_at: Type.Optional(dateTime()),
  last_used_day: Type.Optional(Type.String({ format: 'date' })),
  /** Time of the latest counted call. */
  last_used_at: Type.Optional(dateTime()),
  /** Counted calls since the latest rotation of the key. */
  calls_since_rotation: Type.Integer({ minimum: 0 }),
})

/** Presents a secret of a key. */
export const secretResource = (secret: KeySecret): Resource<typeof secretSchema> => ({
  id: secret.id,
  ...(secret.last4 !== undefined && { last4: secret.last4 }),
  created_at: formatDateTime(secret.createdMs),
  ...(secret.expiresMs !== undefined && { expires_at: formatDateTime(secret.expiresMs) }),
  ...(secret.lastUsedDay !== undefined && { last_used_day: secret.lastUsedDay }),
  ...(secret.lastUsedMs !== undefined && { last_used_at: formatDateTime(secret.lastUsedMs) }),
  calls_since_rotation: secret.calls,
})
