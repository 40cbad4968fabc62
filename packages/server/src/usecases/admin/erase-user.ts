import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { findManagedUser, type Identity } from './identity.ts'
import { recordOf } from './record.ts'

/** Removes a user with name, e-mail address, credentials, links and sessions. The audit keeps the id. */
export async function eraseUser(
  stores: Identity,
  actor: Actor,
  { id: idOrEmail }: { readonly id: string },
): Promise<{ readonly erased: string } | AdminFault> {
  const user = await findManagedUser(stores, actor, idOrEmail)
  if (isAdminFault(user)) return user
  const { id } = user
  const outcome = await stores.people.users.erase(
    id,
    recordOf(stores.clock, actor, {
      action: 'user.erase',
      target: id,
      // What the user did for a partner still counts as done by the partner.
      ...(user.staffRole === undefined && { before: { staff: false } }),
    }),
  )
  if (outcome === 'last_owner') return adminFault('last_owner', ['id'], { user: id })
  return outcome === 'unknown' ? adminFault('user_unknown', ['id'], { user: id }) : { erased: id }
}
