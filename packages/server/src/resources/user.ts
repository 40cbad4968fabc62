import { partnerRoles, staffRoles } from '../domain/admin-permission.ts'
import type { Link, Session } from '../domain/session.ts'
import type { User } from '../domain/user.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

export const userSchema = closedObject({
  id: Type.String(),
  email: Type.String(),
  name: Type.Optional(Type.String()),
  staff_role: Type.Optional(Type.Enum([...staffRoles])),
  memberships: Type.Array(closedObject({ partner_id: Type.String(), role: Type.Enum([...partnerRoles]) })),
  zone: Type.Optional(Type.String()),
  state: Type.Enum(['active', 'disabled']),
  password: Type.Boolean(),
  totp: Type.Boolean(),
  passkeys: count(),
  recovery_codes: count(),
  openid_connect: Type.Boolean(),
  created_at: dateTime(),
  last_sign_in_at: Type.Optional(dateTime()),
  revision: Type.Integer({ minimum: 1 }),
})

export type UserResource = Resource<typeof userSchema>

/** Presents a user, without secrets. */
export const userResource = (user: User): UserResource => ({
  id: user.id,
  email: user.email,
  ...(user.name !== undefined && { name: user.name }),
  ...(user.staffRole !== undefined && { staff_role: user.staffRole }),
  memberships: user.memberships.map(({ partnerId, role }) => ({ partner_id: partnerId, role })),
  ...(user.zone !== undefined && { zone: user.zone }),
  state: user.state,
  password: user.factors.password,
  totp: user.factors.totp,
  passkeys: user.factors.passkeys,
  recovery_codes: user.factors.recoveryCodes,
  openid_connect: user.factors.oidc,
  created_at: formatDateTime(user.createdMs),
  ...(user.lastSignInMs !== undefined && { last_sign_in_at: formatDateTime(user.lastSignInMs) }),
  revision: user.revision,
})

export const userListSchema = closedObject({ users: Type.Array(userSchema) })

/** Presents a list of users. */
export const userListResource = (users: readonly User[]): Resource<typeof userListSchema> => ({
  users: users.map(userResource),
})

export const linkSchema = closedObject({
  purpose: Type.Enum(['invitation', 'owner', 'recovery', 'email', 'demo']),
  email: Type.Optional(Type.String()),
  role: Type.Optional(Type.String()),
  partner_id: Type.Optional(Type.String()),
  link: Type.String(),
  expires_at: dateTime(),
  mail: Type.Enum(['sent', 'failed', 'unset']),
})

/** Presents a new link with its URL, and the outcome of sending it by mail. */
export const linkResource = (
  link: Link,
  url: string,
  mail: 'sent' | 'failed' | 'unset' = 'unset',
): Resource<typeof linkSchema> => ({
  purpose: link.purpose,
  ...(link.email !== undefined && { email: link.email }),
  ...(link.role !== undefined && { role: link.role }),
  ...(link.partnerId !== undefined && { partner_id: link.partnerId }),
  link: url,
  expires_at: formatDateTime(link.expiresMs),
  mail,
})

export const sessionSchema = closedObject({
  id: Type.String(),
  user_id: Type.String(),
  created_at: dateTime(),
  seen_at: dateTime(),
  address: Type.Optional(Type.String()),
  agent: Type.Optional(Type.String()),
})

export const sessionListSchema = closedObject({ sessions: Type.Array(sessionSchema) })

/** Presents a list of sessions. */
export const sessionListResource = (sessions: readonly Session[]): Resource<typeof sessionListSchema> => ({
  sessions: sessions.map(({ id, userId, createdMs, seenMs, address, agent }) => ({
    id,
    user_id: userId,
    created_at: formatDateTime(createdMs),
    seen_at: formatDateTime(seenMs),
    ...(address !== undefined && { address }),
    ...(agent !== undefined && { agent }),
  })),
})
