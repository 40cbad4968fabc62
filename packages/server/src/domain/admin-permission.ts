/** The permissions of staff and of admin tokens. */
export const adminPermissions = [
  'partners:read',
  'partners:write',
  'partners:note',
  'partner:view',
  'keys:read',
  'keys:write',
  'feeds:write',
  'requests:decide',
  'usage:read',
  'log:read',
  'users:read',
  'users:write',
  'tokens:write',
  'imports:write',
  'places:write',
  'reviews:moderate',
  'reviews:erase',
  'webhooks:write',
  'audit:read',
  'system:read',
  'system:write',
] as const

/** A permission of staff or of an admin token. */
export type AdminPermission = (typeof adminPermissions)[number]

/** The permissions of a partner's users, for whatever belongs to that partner. */
export const ownPermissions = ['own:read', 'own:explore', 'own:suggest', 'own:write', 'own:team'] as const

/** A permission of a partner's users. */
export type OwnPermission = (typeof ownPermissions)[number]

/** The roles of staff, most powerful first. */
export const staffRoles = ['owner', 'operator', 'support'] as const
export type StaffRole = (typeof staffRoles)[number]

/** The roles of a partner's users. */
export const partnerRoles = ['admin', 'member'] as const
export type PartnerRole = (typeof partnerRoles)[number]
