import { adminPermissions } from '../domain/admin-permission.ts'
import { type AdminToken, tokenState } from '../domain/admin-token.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const members = {
  id: Type.String(),
  name: Type.String(),
  permissions: Type.Array(Type.Enum([...adminPermissions])),
  partner_id: Type.Optional(Type.String()),
  maker: Type.String(),
  state: Type.Enum(['active', 'expired', 'revoked']),
  created_at: dateTime(),
  expires_at: dateTime(),
  last_used_day: Type.Optional(Type.String({ format: 'date' })),
}

export const tokenSchema = closedObject(members)

export type TokenResource = Resource<typeof tokenSchema>

/** Presents an admin token, without its secret. */
export const tokenResource = (token: AdminToken, nowMs: number): TokenResource => ({
  id: token.id,
  name: token.name,
  permissions: [...token.permissions],
  ...(token.partnerId !== undefined && { partner_id: token.partnerId }),
  maker: token.maker,
  state: tokenState(token, nowMs),
  created_at: formatDateTime(token.createdMs),
  expires_at: formatDateTime(token.expiresMs),
  ...(token.lastUsedDay !== undefined && { last_used_day: token.lastUsedDay }),
})

export const createdTokenSchema = closedObject({ ...members, token: Type.String() })

/** Presents a new admin token with its secret. */
export const createdTokenResource = (
  { token, secret }: { readonly token: AdminToken; readonly secret: string },
  nowMs: number,
): Resource<typeof createdTokenSchema> => ({ ...tokenResource(token, nowMs), token: secret })

export const tokenListSchema = closedObject({ tokens: Type.Array(tokenSchema) })

/** Presents a list of admin tokens. */
export const tokenListResource = (tokens: readonly AdminToken[], nowMs: number): Resource<typeof tokenListSchema> => ({
  tokens: tokens.map(token => tokenResource(token, nowMs)),
})
