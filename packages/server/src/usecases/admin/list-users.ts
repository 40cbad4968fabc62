import type { Actor } from '../../domain/actor.ts'
import type { User } from '../../domain/user.ts'
import type { Identity } from './identity.ts'

/**
 * Returns all users, or those of a partner, oldest first. An actor of a partner sees its users and their role there.
 */
export async function listUsers(
  { people }: Pick<Identity, 'people'>,
  actor: Actor,
  { partnerId }: { readonly partnerId?: string | undefined },
): Promise<readonly User[]> {
  if (actor.partnerId === undefined) return people.users.list(partnerId)
  if (partnerId !== undefined && partnerId !== actor.partnerId) return []
  const own = await people.users.list(actor.partnerId)
  return own.map(user => withinPartner(user, actor.partnerId!))
}

/** Returns a user as the users of a partner see them: without other partners. */
export const withinPartner = (user: User, partnerId: string): User => ({
  ...user,
  memberships: user.memberships.filter(membership => membership.partnerId === partnerId),
})
