import {
  type AdminPermission,
  adminPermissions,
  type OwnPermission,
  ownPermissions,
  type PartnerRole,
  type StaffRole,
} from '../domain/admin-permission.ts'

export type { AdminPermission, OwnPermission, PartnerRole, StaffRole }
export { adminPermissions, ownPermissions }

/**
 * Permissions that only owners have. Operators have `users:write` for the users of partners only; see `mayManageUser`.
 */
const ownerOnly: readonly AdminPermission[] = ['tokens:write', 'reviews:erase', 'system:write']

/** Permissions that no admin token can have: a token never creates users or other tokens. */
const neverOfTokens: readonly AdminPermission[] = ['users:write', 'tokens:write', 'partner:view']

/** The permissions that an admin token can have. */
export const tokenPermissions: readonly AdminPermission[] = adminPermissions.filter(
  name => !neverOfTokens.includes(name),
)

/** The permissions of each staff role. */
export const staffPermissions: Readonly<Record<StaffRole, readonly AdminPermission[]>> = {
  owner: adminPermissions,
  operator: adminPermissions.filter(name => !ownerOnly.includes(name)),
  support: adminPermissions.filter(
    name => name.endsWith(':read') || name === 'partners:note' || name === 'partner:view',
  ),
}

/** The permissions of each role of a partner's users. */
export const partnerPermissions: Readonly<Record<PartnerRole, readonly OwnPermission[]>> = {
  admin: ownPermissions,
  member: ['own:read', 'own:explore', 'own:suggest'],
}

/** Returns true if a role of staff has a permission. */
export const staffMay = (role: StaffRole, permission: AdminPermission): boolean =>
  staffPermissions[role].includes(permission)

/** Returns true if a role of a partner's users has a permission. */
export const partnerUserMay = (role: PartnerRole, permission: OwnPermission): boolean =>
  partnerPermissions[role].includes(permission)

/** Returns true if a role of staff may invite, change, disable or erase staff (`staff`) or users of partners. */
export const mayManageUser = (role: StaffRole, target: 'staff' | 'partner'): boolean =>
  staffMay(role, 'users:write') && (role === 'owner' || target === 'partner')
