import type { AdminPermission, OwnPermission } from '../../domain/admin-permission.ts'
import type { User } from '../../domain/user.ts'
import { partnerUserMay, staffMay } from '../../identity/permissions.ts'
import type { PageRoute } from './page-route.ts'

type Permission = AdminPermission | OwnPermission

const isOwn = (permission: Permission): permission is OwnPermission => permission.startsWith('own:')

/**
 * Decides whether a user may open a page. `hidden` is answered like a page that does not exist, so that nobody learns
 * which partners there are. Staff with `partner:view` may look at the pages of partners, but not send their forms.
 */
export function pageAccess(
  user: User,
  { permission, method }: Pick<PageRoute, 'permission' | 'method'>,
  partnerId: string | undefined,
): 'allowed' | 'refused' | 'hidden' {
  if (!isOwn(permission)) {
    if (user.staffRole === undefined) return 'hidden'
    return staffMay(user.staffRole, permission) ? 'allowed' : 'refused'
  }
  if (user.staffRole !== undefined) {
    if (!staffMay(user.staffRole, 'partner:view')) return 'refused'
    return method === 'GET' ? 'allowed' : 'refused'
  }
  const membership = user.memberships.find(member => member.partnerId === partnerId)
  if (!membership) return 'hidden'
  return partnerUserMay(membership.role, permission) ? 'allowed' : 'refused'
}

/** Returns a function that says whether the user may act on the pages of a partner, or of the console. */
export const createMay =
  (user: User, partnerId: string | undefined) =>
  (permission: Permission): boolean => {
    if (!isOwn(permission)) return user.staffRole !== undefined && staffMay(user.staffRole, permission)
    const membership = user.memberships.find(member => member.partnerId === partnerId)
    return membership !== undefined && partnerUserMay(membership.role, permission)
  }
